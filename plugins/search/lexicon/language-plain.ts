/** What people of other languages say who have never read a manual; see `verbRows` for the form. */
export const plainRows = `
quiet lower duck : leiser plus_doux mas_bajo mas_baixo piu_basso тише 小声 小さく 조용히
loud gain : lauter plus_fort mas_alto mais_alto piu_forte громче 大声 大きく 크게
cut split razor : zerschneiden zerteilen decoupe trocear fatiar spezzare резать разрезать порезать нарезать 切り分け 剪开 切开 자르기 잘라
weld merge glue : kleben verkleben coller pegar colar incollare склеить склей 粘 粘合 くっつけ 붙이기 붙여
merge join combine : zusammenfugen zusammenfuhren zusammensetzen rassembler juntar agrupar riunire сложить
rotate tilt : kippen neigen incliner basculer inclinar inclinare girare наклонить 傾ける 倾斜 기울이기
scale squash : stauchen ecraser aplastar achatar schiacciare сплющить
bevel chamfer : fasen anfasen abschragen chanfreiner achaflanar chanfrar smussa фаску 面取り 倒角 모따기
inflate bulge : wolben aufblasen gonfler inflar gonfiare надуть 膨らませ 膨胀 부풀리기
thin thickness : dunn mince fino sottile тонкий 薄い 薄 얇은 얇게
thick thickness : dick epais grueso grosso spesso толстый толще 厚い 厚 두꺼운 두껍게
square rectangle : quadrat carre cuadrado quadrado quadrato квадрат 正方形 四角 사각형 정사각형
star shape : stern etoile estrella estrela stella звезда звезду 星 星形 별
polygon shape : vieleck polygonal 多角形 多边形 다각형
scale units : massstab echelle escala scala
order arrange : reihenfolge ordre orden ordem ordine порядок порядке 順番 順序 顺序 순서
pen pencil brush stroke : stift bleistift crayon lapiz lapis matita карандаш 鉛筆 铅笔 연필
black : schwarz noir negro preto nero черный черно 黒 黑 검은 검정
white : weiss blanc blanco branco bianco белый бело 白 흰 하얀
gray grayscale : grau gris cinza grigio серый 灰色 グレー 회색
green : grun grune gruner grunen vert verte verde зеленый зелёный зеленого 緑 绿 绿色 초록
red : rot rote roter rouge rojo vermelho rosso красный 赤 红色 빨간
blue : blau blaue blauer bleu azul blu azzurro синий 青 蓝色 파란
fire flame : flamme flammen llama chama fiamma пламя 炎 火焰 불꽃
garment cloth shirt : hemd jacke chemise veste camisa chaqueta casaco camicia giacca рубашка куртка シャツ 衬衫 外套 셔츠 재킷
garment cloth trousers : pantalon pantalons calca calcas pantaloni брюки штаны ズボン 裤子 바지
garment cloth dress : robe vestido abito платье ドレス 裙子 连衣裙 드레스 원피스
jump : springen sprung sauter saltar pular saltare прыгать прыжок 跳ぶ ジャンプ 跳 跳跃 점프
fast speed : schnell schneller rapide vite rapido veloce быстро быстрее 速く 快 加快 빠르게
slow speed : langsam langsamer lent lente lenteur lento lentamente медленно медленнее 遅い 遅く 慢 变慢 느린 느리게
package build : paketieren verpacken empaqueter empaquetar empacotar impacchettare упаковать 打包 パッケージ 패키지
title text heading : uberschrift entete encabezado cabecalho intestazione заголовок 見出し 标题 제목
screenshot capture : schnappschuss bildschirmfoto instantane captura_de_pantalla captura_de_tela schermata скриншот снимок_экрана
collision : zusammenstoss zusammenstosse choque choc scontro столкновение столкновений 衝突 碰撞 충돌
particles sparks : funken etincelles chispas faiscas scintille искры 火花 불꽃
grow : wachsen pousser crecer crescer crescere вырастить расти 生やす 生长 자라게
parameter slider : schieberegler curseur deslizador cursore ползунок スライダー 滑块 슬라이더
command run : befehl befehle commande comando команда команду コマンド 命令 명령
key input action : taste tastendruck touche tecla tasto клавиша клавишу клавиши キー入力 按键 키입력
click trigger event : klick klicken clic cliquer clique clicar cliccare клик нажатие クリック 点击 클릭
caption subtitle : titres sous-titre sottotitolo
walk run : courir correr correre gehen laufen бежать бегать ходьба 歩く 走る 走路 跑步 걷기 달리기
lips mouth : lippen levres labios labbra губ 唇 嘴唇 입술 口 嘴 입
depth : tiefe profondeur profundidad profundidade profondita глубина 奥行き 深度 심도
link url : lien enlace vincolo ссылк リンク 链接 링크
tile : carrelage azulejo piastrella 瓷砖 타일
break fracture shatter : kaputt zerbrechen zerschlagen casser briser romper quebrar rompere frantumare сломать разбить разломать 壊す 壊れ 打碎 破碎 부수기 부서지
scatter distribute : semer streuen verstreuen eparpiller esparcir espalhar spargere разбросать рассыпать раскидать ばらまく 散らす 散布 撒 흩뿌리기 뿌리기
hollow shell : esvaziar vaciar evider svuotare aushohlen выдолбить くり抜く 抽空 掏空 속비우기
cut hole : loch trou agujero buraco foro дыра дырк 穴 孔 洞 구멍
hair fur : peli peluche pelos fell мех 毛 毛发 털
matte mask roto : freistellen scontornare detourer recortar вырезать 切り抜く 抠图 抠像 누끼
shaky stabilize : verwackelt wackelig verwacklung tremblant tremblante tremblement temblorosa tembloroso movida movido tremida tremido tremore mossa mosso tremolante дрожащее дрожание трясется тряска тряску трясущееся 手ぶれ 手ブレ 手振れ ぶれ ブレ 抖动 晃动 防抖 흔들림 흔들리는
speed slow : zeitlupe au_ralenti camara_lenta camera_lenta rallentatore замедленн スローモーション 慢镜头 慢放 슬로우
blur : unscharf weich desfoque borroso borrao sfocato размыто ぼかす ぼかし 模糊 흐리게
fracture break : fraturar 
preview : vorschau visualizar
frame artboard canvas : tavola prancheta mesa_de_trabajo plan_de_travail tavola_da_disegno монтажную_область アートボード 画板 아트보드
unused purge : ungenutzt unbenutzt nicht_benutzt nicht_verwendet non_utilise inutilise sin_usar no_usado nao_usado nao_utilizado non_usato неиспользуем 使われていない 未使用 没用的 用不到 안쓰는 사용하지않는
front : vorne devant delante frente davanti спереди впереди 手前 前面 앞
back : hinten derriere detras atras dietro сзади позади 奥 后面 뒤
count statistics : zahlen compter contar contare посчитать сосчитать 数える 统计 计数 세기
group : gruppieren grouper agrupar raggruppare сгруппировать グループ化 编组 成组 그룹화
explode explosion : explodieren exploser explotar explodir esplodere взорвать взрыв 爆発 爆炸 폭발
fill bucket : zuschutten verser rellenar preencher riempire залить заливка 塗りつぶす 填充 채우기
walk cycle : laufzyklus cycle_de_marche ciclo_de_caminata ciclo_de_caminhada ciclo_di_camminata цикл_ходьбы 歩行サイクル 行走循环 걷기사이클
sound noise denoise : hintergrundgerausch storgerausch bruit_de_fond ruido_de_fondo ruido_de_fundo rumore_di_fondo фоновый_шум 雑音 杂音 噪音 잡음 소음
polygon polycount : polygonzahl nombre_de_polygones numero_de_poligonos numero_di_poligoni количество_полигонов ポリゴン数 面数 폴리곤수
decimate polygon : 减面
lip_sync lipsync : lippensynchron synchronisation_labiale sincronizacion_labial sincronia_labial sincronizzazione_labiale липсинк синхронизация_губ リップシンク 口パク 口型 립싱크
green_screen keying key : grunwand fond_vert fondo_verde fundo_verde sfondo_verde зеленый_фон зелёный_фон хромакей グリーンバック 绿幕 绿布 그린스크린 크로마키
missing relink : verschwunden weg perdu perdido perdida mancanti потерянн пропавш 見つからない 丢失 找不到 잃어버린 누락
dark_mode mode : dunkelmodus mode_sombre modo_oscuro modo_escuro modalita_scura темная_тема темный_режим ダークモード 深色模式 暗色模式 다크모드
seamless tile : nahtlos sans_raccord sin_costuras sem_costura senza_giunture бесшовн シームレス 无缝 이음새없는
sprite_sheet : sprite_bogen feuille_de_sprites hoja_de_sprites folha_de_sprites foglio_sprite спрайт_лист スプライトシート 精灵表 스프라이트시트
speech voice talk : spricht sprechen gesprochen sprich reden redet hablan hablando falar falam falando parlano parlando parlant говорит говорят говорить 話す 話し 喋る 喋って しゃべる 说话 讲话 말하기 말하는 말할
lower quiet : baixe baixando bajar baja bajando baisser baisse abbassare убавить приглушить
run play start : 実行 运行 启动 실행 돌리기
audio music : lied lieder chanson cancion musica canzone песн 曲 歌 歌曲 노래
paste glue attach : 貼る 貼り
border edge : 縁 가장자리
vertex point : 꼭짓점
window : 窓
image drawing : 絵
brush : 筆
light : 光
wrinkles folds : しわ 皱纹
beard hair : ひげ 胡子 수염 bart barbe barba борода
skin : 皮膚 皮肤 피부
joint : 関節 관절
pattern : 柄
slow heavy performance : 重い 重く 卡 卡顿 렉 느림 ruckelt ruckeln stottert saccade rame tirones lag travando scatta тормозит лагает
square rectangle : 方形
ring torus : 环 고리
scale units : 比例 축척
foreground front : 前景 전경 vordergrund premier_plan primer_plano primeiro_plano primo_piano передний_план
avatar mannequin : 模特 마네킹 schaufensterpuppe maniqui manequim manichino манекен マネキン
dirt dirty : 脏 污 더러움 때 schmutz schmutzig sale salete suciedad sucio sujeira sujo sporco sporcizia грязь грязный 汚れ 汚い
distribute : 분배
view show : 보기
white : 흰색
break fracture : 깨기 깨뜨리기
landscape terrain : 풍경
expression face : 표정 表情 gesichtsausdruck expression_du_visage expresion espressione выражение_лица
skin weights : 스키닝
person subject character : jemand leute menschen mensch person personne gens homme alguien persona gente hombre pessoa alguem homem pessoas persona gente uomo человек человека люди людей 人物 人間 人 사람 인물
sticker decal : aufkleber autocollant pegatina calcomania adesivo adesivi наклейк наклейка ステッカー シール 贴纸 贴花 스티커
helmet model : helm casque casco capacete шлем ヘルメット 头盔 헬멧
wall : mauer wand mur pared muro parede parete стена стену стены 壁 墙 벽
pieces fracture : stucke morceaux pedazos trozos pedacos pezzi куски кусочки осколки 破片 碎片 조각
tight fit : eng zu_eng serre ajustado apretado apertado stretto тесно узкий きつい 太紧 꽉끼는
leather fabric : leder cuir cuero couro cuoio pelle кожа 革 皮革 가죽
enemy agent : feind gegner ennemi enemigo inimigo nemico враг враги 敵 敌人 적
phone vertical : handy telefon telephone telefono celular telefone телефон スマホ 手机 휴대폰 스마트폰
subtitle captions : untertiteln soustitrer subtitular legendar sottotitolare
vector trace : vektor vektoren vektorisieren vecteur vecteurs vectoriser vectores vectorizar vetor vetores vetorizar vettore vettori vettoriale vettorializzare вектор векторн ベクター ベクトル 矢量 矢量图 벡터
compile : kompilieren kompiliert compiler compile compila compilar compilare компилир コンパイル 编译 컴파일
sculpt : skulptur modellieren sculpter esculpir esculpido scolpire скульпт лепить 彫刻 スカルプト 雕刻 조각하기
half : halfte moitie mitad metade meta половин 半分 一半 절반
`;
