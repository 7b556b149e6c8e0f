"""Words that say little in languages other than English. Apart from the English ones, so that no hook loads them."""

from __future__ import annotations

# Without what names something where programs are made: CI, OS, min.
ELSEWHERE = frozenset(
    """
    ab aber alle als am an auch auf aus bei beim bis da das dass dem den der des die doch dort durch ein eine einem
    einen einer er es für gar gegen hat haben ich ihr im ist ja jede jeder jedes jetzt kann kein keine man mehr mit
    nach nicht noch nur ob oder ohne sein seit sich sie sind so sondern und uns unser vom von vor wegen weil wenn
    wer werden wie wieder wir wird wo zu zum zur zwischen au aux avec ce ces cette chez comme dans de depuis des
    désormais du elle en est et être eux il ils je la le les leur lui ma mais me même mes moi mon ne nos notre nous
    on ont ou où par pas plus pour qu que qui sa sans se sera ses si son sont sous sur ta te tes toi ton tout tous
    toute très tu un une vos votre vous y déjà al ahora así aunque con cuando cual del desde donde dos el ella ellos
    en entre es esa ese eso esta está este esto fue hasta hay la las lo los más mi mis muy nada no nos o para pero
    por porque que quien se ser si sí sino sobre son su sus también tan te tiene todo todos tu un una uno unos y ya
    agora ao aos as até com como da das do dos ela ele em essa esse está eu foi isso já mais mas na nas não nem no
    nos num numa o ou para pela pelo por quando que se sem ser seu sua são também um uma alla anche che chi con da
    dal dei del della delle di e gli ha ho i il in la le lo ma mi ne nel nella non però più quando questa questo se
    si sono su sul tra un una uno aan als bij dan dat de deze die dit een en er het hij ik in is je kan maar meer na
    naar niet nog nu of om onder ons ook over te tot uit van voor waar wat we wel werd wij worden zijn zo att av da
    de den der det dette di du efter eller en er et ett ez för fra från før har her hos hun hvis i ikke inte jeg jag
    kan mig nå når nu og och om på sig som skal så til till under uden ved vil været är över
    """.split()
)
