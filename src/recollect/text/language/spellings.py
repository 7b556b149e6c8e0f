"""Short forms and other spellings of the trade, and products whose names are not made of the words in them."""

from __future__ import annotations

# Each with the word that it stands for.
LONG_FORMS: dict[str, str] = dict(
    pair.split("=")
    for pair in (
        "k8s=kubernetes kube=kubernetes postgres=postgresql psql=postgresql pg=postgresql pgsql=postgresql "
        "mongo=mongodb es6=javascript js=javascript ts=typescript py=python rb=ruby tf=terraform "
        "reactjs=react vuejs=vue nodejs=node gh=github gl=gitlab "
        "db=database dbs=database repo=repository repos=repository env=environment envs=environment "
        "config=configuration conf=configuration cfg=configuration deps=dependency dep=dependency lib=library "
        "libs=library docs=documentation doc=documentation dir=directory dirs=directory auth=authentication "
        "authn=authentication authz=authorization perms=permission perm=permission admin=administrator "
        "i18n=internationalization l10n=localization a11y=accessibility o11y=observability "
        "msg=message msgs=message param=parameter params=parameter args=argument arg=argument func=function "
        "fn=function var=variable vars=variable impl=implementation infra=infrastructure perf=performance "
        "async=asynchronous sync=synchronous tz=timezone cert=certificate certs=certificate creds=credential "
        "pw=password pwd=password passwd=password spec=specification img=image imgs=image "
        "mins=minute secs=second hrs=hour"
    ).split()
)

# Who writes MacBook means no book.
PRODUCTS = frozenset(
    "airpods airtable basecamp bitbucket chatgpt chromebook clickup doordash dropbox evernote facebook facetime github "
    "gitlab hubspot icloud imac imessage indesign iphone ipad linkedin macbook mailchimp mastercard onedrive onenote "
    "pagerduty paypal photoshop playstation powerbook powerpoint salesforce sharepoint sketchup snapchat sourcetree "
    "teamviewer textmate thinkpad tiktok typeform whatsapp wordpress youtube zendesk".split()
)
