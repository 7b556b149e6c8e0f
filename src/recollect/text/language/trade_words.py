"""Words of the trade in other languages, with what they are called in English: most facts are in English, and a prompt
may be in German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian or Chinese.

Written as the index folds them: lower case, without accents. Each is the beginning of its forms."""

from __future__ import annotations

LONGEST_ENDING = 4  # letters that a form may have behind its beginning
SHORTEST_BEGINNING = 4  # letters; a shorter word stands for itself alone

# English words, an equals sign, and what they are called elsewhere.
_TABLE = """
account=konto benutzerkonto compte cuenta conta rekening uczetn аккаунт 账户
add=hinzufug ajout anad aggiung adicion toevoeg dodaj dodac добав 添加
address=adress direccion indirizz endereco адрес 地址
alert=alarm warnung meldung alerte aviso avviso waarschuw ostrzez оповещ 告警
answer reply=antwort repond respuesta respond rispost respost antwoord odpowied ответ 回答
approve approval=genehmig freigab freigeb approuv aprob approv aprov goedkeur zatwierdz одобр 批准
backup=sicherung sauvegard respaldo copia backup reservekop kopia резерв 备份
billing invoice=rechnung abrechn factur fattur fatur faktur счет 账单 发票
branch=zweig branche rama ramo galaz ветк 分支
bug error=fehler erreur fallo errore erro fout blad ошибк 错误
build=bauen baue gebaut construi compil bouw zbudowa budowa сборк собра 构建
button=knopf schaltflach bouton boton pulsante botao knop przycisk кнопк 按钮
cache=zwischenspeich antememoire pamiec кеш кэш 缓存
change=ander geandert modifi cambi mudar alterar wijzig zmian zmien измен 修改
check=pruf verif comprob controll verific controleer sprawdz провер 检查
code=quelltext quellcode codigo codice kod код 代码
command=befehl kommando commande comando opdracht polecen команд 命令
comment=kommentar commentaire comentari commento opmerking komentarz коммент 注释
commit=einspiel consign коммит 提交
config configuration settings=einstellung konfigur parametr reglage configur impostaz instelling ustawien
config configuration settings=настройк конфиг 配置
connect connection=verbind connexion connect conexion conexao conness verbinding polacz подключ соедин 连接
container=behalter conteneur contenedor contenitor konten контейнер 容器
customer=kunde kunden client cliente klant klient клиент 客户
dashboard=ubersicht tableau tablero cruscotto painel pulpit панел
data=daten donnee datos dati dados gegevens dane данны 数据
database=datenbank basededonnees basedatos bancodedados databank baza баз 数据库 据库
day=tag tage tagen jour dias dia giorn dagen dzien dni день дней
delete remove=losch entfern supprim effac borr elimin cancell remov verwijder usun удал 删除
dependency package=abhangigkeit paket dependance paquet dependenc dependencia dipendenz pacchett pacote
dependency package=afhankelijk pakket zaleznos pakiet зависимост пакет 依赖
deploy deployment release=ausroll bereitstell auslieferung deploie deploiement despleg despliegu distribu
deploy deployment release=rilasci implant uitrol wdroz wdraz деплой разверн выкат 部署 发布
design=entwurf gestalt conception diseno progett desenho ontwerp projekt дизайн
directory folder=ordner verzeichnis dossier repertoire carpeta directorio cartell pasta diretorio mappe
directory folder=katalog папк каталог 目录
documentation docs=dokumentation documentation documentacion documentaz documentac documentatie
documentation docs=dokumentac документац 文档
environment=umgebung environnement entorno ambient omgeving srodowisk окружен сред 环境
feature=funktion fonctionnalit funcion caracteristic funzionalit funcionalidad functie funkcj функци 功能
field=feld champ campo veld pole поле 字段
file=datei dateien fichier archivo arquivo bestand plik файл 文件
fix=behebe behoben reparier repar corrig arreglar sistem naprav napraw исправ 修复
flag=schalter drapeau bandera флаг
formatter format=formatier format formatea formatt формат 格式
frontend interface=oberflach interface interfaz interfaccia utente interfejs интерфейс 界面
function=funktion fonction funcion funzion funcao functie funkcj функци 函数
header=kopfzeil entete encabezad intestaz cabecalh naglow заголов
image=bild bilder imagen immagin imagem afbeeld obraz картинк 图片 镜像
import=einles importier importa importer importeer импорт 导入
install=installier installe instala installa instaleer zainstal instal установ 安装
key=schlussel cle clef clave chiave chave sleutel klucz ключ 密钥
language=sprache langue idioma lingua taal jezyk язык 语言
library=bibliothek bibliothequ biblioteca libreria bibliotheek bibliotek библиотек
license=lizenz licence licencia licenza licenca licentie licencj лиценз
line=zeile zeilen ligne linea riga linha regel wiersz строк
limit=grenze begrenz limit limite limiet ogranicz лимит огранич 限制
log logs=protokoll journal journaux registro logboek dziennik лог 日志
login sign=anmeld einlog connexion sesion accesso inloggen logowan вход 登录
merge=zusammenfuhr fusion unir unire mescla samenvoeg scal слия 合并
message=nachricht messag mensaje messaggi mensagem bericht wiadomosc сообщен 消息
metric=kennzahl metrique metrica metriek метрик 指标
migration=migration migracion migrazion migrac migratie migracj миграц 迁移
mobile=handy mobil movil cellulare мобиль
month=monat mois mes meses mese maand miesiac месяц
name=name namen nom nombre nome naam nazw имя назван 名称
network=netzwerk reseau red rete rede netwerk siec сеть 网络
never forbidden=niemals verboten jamais interdit nunca prohibid vietat proibid nooit nigdy никогда запрещ
night nightly=nacht nachts nuit noche notte noite noc ночь
order=bestell commande pedido ordin encomend bestelling zamowien заказ 订单
own owner responsible=zustandig verantwortlich besitzer responsable proprietaire dueno encargad responsabil
own owner responsible=proprietari responsavel eigenaar verantwoordelijk odpowiedzialn wlasciciel отвеча
own owner responsible=ответствен владел 负责
page=seite seiten page pagina strona страниц 页面
password secret=passwort kennwort geheimnis motdepasse contrasena segredo parola wachtwoord geheim haslo
password secret=sekret пароль секрет 密码
path=pfad chemin ruta percorso caminho sciezk путь 路径
payment=zahlung bezahl paiement payement pago pagament betaling platnosc платеж оплат 支付
permission=berechtigung erlaubnis rechte droit permis permess permissao toestemming uprawnien прав 权限
port=poort puerto porta порт 端口
price=preis preise prix precio prezz preco prijs cena цена 价格
production=produktiv produktion produccion produzion producao productie produkcj продакшн прод 生产
project=projekt projet proyecto progett projeto project проект 项目
query=abfrage requete consulta interrogaz zapytan запрос 查询
queue=warteschlang file cola coda fila wachtrij kolejk очеред 队列
reminder=erinnerung mahnung rappel recordatori promemoria lembrete herinnering przypomnien напомин
rename=umbenenn umbenannt renomm renombr rinomin renome hernoem przemian переимен
repository=quellcodeverwaltung depot repositori opslag repozytori репозитор 仓库
request=anfrage requete solicitud peticion richiest pedido verzoek zadan запрос 请求
review=begutacht durchsicht relecture revis revu recensi beoordel przeglad ревью 评审
route=strecke itineraire ruta rotta rota trasa маршрут 路由
run start=ausfuhr starte laufen laufe lance execut ejecut arranc esegu avvia executar uitvoer draai
run start=uruchom запус 运行 启动
schedule=zeitplan planning horario programma agenda rooster harmonogram расписан
schema=schema esquema schemat схем
script=skript script guion skrypt скрипт 脚本
search=suche suchen recherch busqueda buscar cerca ricerca pesquis busca zoek wyszuk szuka поиск 搜索
section=abschnitt rubrique seccion sezione secao sectie sekcj раздел
send=sende schick versend envoy enviar inviar zenden verstuur wysyl wyslij отправ 发送
server=serveur servidor serwer сервер 服务器
service=dienst service servici servizi servico usluga сервис 服务
session=sitzung session sesion sessione sessao sessie sesja сесси 会话
shop=laden geschaft boutique tienda negozio loja winkel sklep магазин
size=grosse taille tamano dimension tamanho grootte rozmiar размер
staging=testumgebung vorstufe preproduction preproduccion стейдж
style=stil style estilo stile stijl styl стил 样式
table=tabelle tabell tableau tabla tabella tabela tabel таблиц
team=mannschaft equipe equipo squadra zespol команд 团队
template=vorlage modele plantilla modello sjabloon szablon шаблон 模板
test tests=teste getest tester essai prueba prova testes testen testy тест 测试
text=text texte texto testo tekst текст 文本
threshold=schwelle schwellwert seuil umbral soglia limiar drempel prog порог
ticket=vorgang billet entrada biglietto zgloszen тикет
time=zeit uhrzeit heure hora orario tijd czas время 时间
timeout=zeituberschreit delai expiracion scadenza таймаут 超时
tool=werkzeug outil herramient strument ferrament gereedschap narzedzi инструмент 工具
translation=ubersetz traduct traducc traduzion traduc vertal tlumacz перевод 翻译
type=typ typen type tipo typu тип 类型
unit=einheit unite unidad unita unidade eenheid jednostk единиц 单位 单元
update upgrade=aktualisier mettre misea actualiz aggiorn atualiz bijwerk aktualiz zaktualiz обнов 更新 升级
upload=hochlad televers subir caricar carregar uploaden przesla загруз 上传
user=benutzer nutzer anwender utilisateur usuari utent usuario gebruiker uzytkownik пользовател 用户
value=wert werte valeur valor valore waarde wartosc значен
variable=variabl zmienn переменн 变量
version=version versiones versione versao versie wersj верси 版本
warning=warnung avertissement advertencia avvertenza waarschuwing ostrzezen предупрежд 警告
website site=webseite siteweb sitio sito сайт 网站
week=woche wochen semaine semana settiman week tydzien недел
write=schreib ecri escrib scriv escrev schrijf napisz писать напиш 编写
"""

_ENGLISH = {
    word: names.split()
    for names, _, words in (line.partition("=") for line in _TABLE.strip().splitlines())
    for word in words.split()
}


def in_english(term: str) -> list[str]:
    """What a term of another language is called in English; nothing where that is not known."""
    if term in _ENGLISH:
        return _ENGLISH[term]
    shortest = max(len(term) - LONGEST_ENDING, SHORTEST_BEGINNING)
    beginnings = [term[:end] for end in range(len(term) - 1, shortest - 1, -1)]
    return next((_ENGLISH[one] for one in beginnings if one in _ENGLISH), [])
