/** Forms of verbs that no ending explains: what somebody says who commands; see `verbRows` for the form. */
export const formRows = `
show display : zeig zeige montre muestra muestrame mostra mostre mostrami mostrare montrez покажи показать 보여줘 見せて 给我看
hide : versteck verstecke cachez oculta esconde esconda nascondi спрячь скрой скрыть 숨겨줘 隠して 藏起来
add insert : fuge hinzu zufuge ajoute ajoutez anade agrega adiciona adicione inclua aggiungi добавь добавить 넣어줘 추가해 加上 加个 つけて 付ける 付けて 入れる 入れて
create : erzeuge erstelle cree creez crea genera crie gera creami создай создать 만들어 만들어줘 做一个 作って
delete remove : losche entferne lass_weg supprime enleve elimina borra quita apague exclua remova togli elimina cancella удали удалить убери убрать 지워줘 없애 없애기 删掉 去掉 消して 外す 外して
open : offne ouvre abre abra apri открой открыть 열어줘 开启 开一下
save : speichere enregistre guarda salva guarda сохрани сохранить 저장해 存一下
select : wahle wahlen wahl markiere choisir choisis choisissez elige elegir escolha escolher scegli scegliere выбери выбрать 골라 고르기 挑选 选出
convert : wandle wandeln umgewandelt convertis convierte converta converti преврати 바꿔 转成 变成 変える 変えて
move : verschiebe deplace mueve mueva mova sposta передвинь 옮겨 挪 挪动 動かして ずらす
rotate : drehe rotiere tourne gira gire ruota поверни 돌려 转动 转一下 回転させる
scale : vergrossere verkleinere skaliere agrandis reduis agranda amplia aumente ingrandisci ingrandire rimpicciolire увеличь уменьши 키우기 키워 放大 缩小 拡大する
mirror flip : spiegle spiegele gespiegelt retourne refleja voltea espelhe inverta specchia отрази 뒤집어 翻过来 裏返す
cut : schneide geschnitten coupe corta corte taglia отрежь нарежь 자르고 剪掉 切って
join merge combine : verbinde vereine verschmelze fusionne joins une junte junta unisci объедини 합쳐 합치기 拼起来 合并到 くっつける まとめて
separate split : trenne teile separe divise separa separe dividi отдели раздели 나눠 나누고 拆开 分开 分ける
connect : verbinde relie conecta ligue collega подключи соедини 연결해 连起来 繋ぐ つなげる
apply assign : wende_an anwende appliquez applique aplica aplique applica примени назначь 적용해 用上 かける
import : lade_ein importe importa importiere импортируй загрузи 불러와 导进来 取り込む
export : exportiere exporte exporta выгрузи экспортируй 내보내줘 导出来 書き出して
render : rendere berechne rends calcule renderiza renderize renderizza отрендери 렌더해 渲出来
bake : backe geback cuis hornea asse cuoci запеки 구워 烘一下 焼く 焼き付け
start run play : starte spiele lance lancez demarre inicia ejecuta reproduce inicie rode avvia esegui riproduci запусти 시작해 돌려줘 跑一下 動かす 始める
stop : halte stoppe arrete deten detener pare ferma останови 멈춰 멈추기 停下 停一下 止めて
measure : miss_aus mesure mide misura измерь 재기 재줘 量一下 测一下 測って
reduce decrease : verringere reduziere senke reduis diminue disminuye reduza diminua riduci abbassa уменьши снизь 낮춰 줄여 调低 降下来 下げて 減らして
increase raise : erhohe hebe augmente aumenta sube aumente suba alza повысь подними 높여 늘려 调高 上げて 増やして
repair fix : repariere behebe repare arregla arreglar conserta consertar sistema sistemare ripara почини исправь 고쳐 고쳐줘 修一下 直して
clean : raume_auf saubere nettoie limpia limpe pulisci почисти 정리해 清一下 片付けて
find search : suche finde trouve cherche encuentra busca encontre trova cerca найди 찾아줘 找 找到 找出 探して 見つけて
replace swap : ersetze tausche tauschen remplace reemplaza cambia substitua troque sostituisci замени 바꿔줘 换 换成 替掉 入れ替え 取り替える
rename : benenne umbenenne renomme renombra renomeie rinomina переименуй 이름을바꿔 改名字 名前を変える
duplicate copy : kopiere dupliziere duplique copie duplica copia copie скопируй 복사해 复制一份 コピーして 増やす
smooth : glatte lisse suaviza suavize liscia сгладь 부드럽게해 弄平滑 なめらかに 滑らかに
align : richte_aus ausrichte aligne alinea alinhe allinea выровняй 맞춰 对齐到 そろえる 揃えて
fill : fulle fullt remplis remplit rellena preencha riempi залей заполни 채워 填上 塗って
paint draw : zeichne peins dessine pinta dibuja pinte desenhe dipingi disegna нарисуй 그려 그려줘 画 画一个 描いて
write : schreibe ecris ecrire escribe escreva scrivi напиши 써줘 写 書いて
invert reverse : kehre_um invierte inverta inverti инвертируй 뒤집기 反过来 逆にする
hold freeze : friere_ein eingefroren fige figer congela congele blocca заморозь 멈춘 定住 固める
lock : sperre verrouille bloquea bloqueie blocca заблокируй 잠가 锁上 ロックする
list : liste auflistung liste_moi lista elenca перечисли 목록을 列一下 並べて
`;
