/** What users of other languages call the things of the field; see `verbRows` for the form. */
export const nounRows = `
file : datei dateien fichier fichiers archivo archivos fichero arquivo arquivos ficheiro ファイル 文件 档案 檔案 파일 файл
folder directory : ordner verzeichnis dossier repertoire carpeta directorio pasta diretorio cartella フォルダ フォルダー ディレクトリ 文件夹 目录 資料夾 目錄 폴더 папк каталог
scene : szene scene escena cena scena シーン 场景 場景 씬 장면 сцен
project : projekt projet proyecto projeto progetto プロジェクト 项目 專案 工程 프로젝트 проект
object : objekt objekte objet objets objeto objetos oggetto oggetti オブジェクト 物体 对象 物件 物體 객체 오브젝트 물체 объект
mesh geometry : netz gitter gittermodell maillage maille geometrie malla geometria malha mesh maglia メッシュ ジオメトリ 网格 網格 几何体 几何 模型 메시 메쉬 지오메트리 сетк меш геометр
model : modell modele modelo modello モデル 模型 모델 модел
polygon face : polygon polygone polygones poligono poligonos flache flachen faces cara caras faccia facce ポリゴン フェース 面 多边形 多邊形 폴리곤 면 полигон гран
vertex : eckpunkt scheitelpunkt eckpunkte sommet sommets vertice vertices vertici 頂点 顶点 頂點 버텍스 정점 вершин
edge : kante kanten arete aretes bord arista aristas borde aresta arestas borda spigolo spigoli bordo エッジ 辺 边 边缘 邊 에지 모서리 엣지 ребр ребер кра
material : material werkstoff materiau materiaux materiale materiali materiales マテリアル 材質 材质 材料 재질 머티리얼 материал
texture : textur texturen textura texturas trama テクスチャ テクスチャー 贴图 貼圖 纹理 材质贴图 텍스처 텍스쳐 текстур
image picture : bild bilder image images imagen imagenes imagem immagine immagini 画像 イメージ 图像 图片 圖像 圖片 影像 이미지 그림 사진 изображ картин
camera : kamera kameras appareil cameras camara camera telecamera videocamera カメラ 摄像机 相机 攝影機 摄影机 相機 카메라 камер
light : licht lichter lampe lichtquelle beleuchtung lumiere lumieres eclairage lampe luz luces iluminacion luzes iluminacao luce luci illuminazione ライト 照明 光源 灯光 燈光 光照 灯 조명 라이트 빛 свет источник освещ ламп
shadow : schatten ombre ombres sombra sombras ombra 影 シャドウ 阴影 陰影 그림자 тен
animation : animation animationen animacion animaciones animacao animazione アニメーション アニメ 动画 動畫 애니메이션 анимац
keyframe : schlusselbild schlusselbilder keyframes image_cle cle cles fotograma_clave clave quadro_chave chave fotogramma_chiave chiave キーフレーム キー 关键帧 關鍵影格 关键 키프레임 키 ключ кейфрейм
frame : bild einzelbild bildrate trame fotograma cuadro quadro fotogramma フレーム コマ 帧 影格 프레임 кадр
timeline : zeitleiste zeitachse chronologie ligne_de_temps linea_de_tiempo linha_do_tempo sequenza タイムライン 时间轴 時間軸 时间线 타임라인 таймлаин временн
layer : ebene ebenen calque calques couche capa capas camada camadas livello livelli レイヤー レイヤ 图层 圖層 层 레이어 сло
mask : maske masque mascara maschera マスク 蒙版 遮罩 마스크 маск
color : farbe farben couleur couleurs color colores cor cores colore colori 色 カラー 颜色 顏色 色彩 색 색상 컬러 цвет
brush : pinsel pinceau brosse pincel brocha pennello ブラシ 笔刷 画笔 筆刷 브러시 кист
brightness : helligkeit luminosite brillo brilho luminosita 明るさ 輝度 亮度 밝기 яркост
contrast : kontrast contraste contrasto コントラスト 对比度 對比 대비 контраст
saturation : sattigung saturacion saturacao saturazione 彩度 饱和度 飽和度 채도 насыщ
background : hintergrund arriere fond fondo fundo sfondo 背景 배경 фон
selection : auswahl selection seleccion selecao selezione 選択範囲 选区 選區 선택영역 выделен
bone joint skeleton : knochen gelenk skelett os squelette articulation hueso huesos esqueleto articulacion osso ossos articulacao ossa scheletro ボーン ジョイント 骨 スケルトン 骨骼 骨架 关节 뼈 본 조인트 스켈레톤 кост скелет сустав
rig : rig rigg riggen リグ リギング 绑定 骨骼绑定 綁定 리그 리깅 риг оснастк
skin weights bind : haut gewichtung gewichte peau ponderation poids piel pesos pele pelle pesi スキン ウェイト 蒙皮 权重 權重 스킨 가중치 웨이트 скин вес привяз
constraint : zwang einschrankung beschrankung contrainte restriccion restricao vincolo コンストレイント 拘束 约束 約束 제약 컨스트레인 огранич констреинт
curve : kurve kurven courbe courbes curva curvas curve カーブ 曲線 曲线 커브 곡선 крив
path : pfad chemin trajet ruta camino caminho percorso パス 経路 路径 路徑 경로 пут контур
sphere : kugel sphere esfera sfera 球 球体 スフィア 球體 구 구체 сфер шар
cube box : wurfel quader cube boite cubo caja caixa scatola 立方体 キューブ 箱 ボックス 方块 立方體 盒子 큐브 상자 박스 육면체 куб короб ящик
plane : ebene flache plan plano piano 平面 プレーン 평면 плоскост
cylinder : zylinder cylindre cilindro 円柱 シリンダー 圆柱 圓柱 실린더 원기둥 цилиндр
circle : kreis cercle circulo cerchio 円 サークル 圆 圆形 圓 원 круг окружн
primitive shape : grundkorper form formen forme forma formas 図形 形状 プリミティブ 形状 图形 基本体 도형 모양 примитив форм фигур
particle : partikel teilchen particule particules particula particulas particella particelle パーティクル 粒子 파티클 입자 частиц
smoke fire : rauch feuer fumee feu humo fuego fumaca fogo fumo fuoco 煙 火 炎 烟雾 火焰 烟 煙霧 연기 불 дым огон огн
fluid water : flussigkeit wasser fluide eau liquide fluido agua liquido acqua 流体 水 液体 流體 유체 물 жидкост вод
cloth : stoff tuch kleidung tissu vetement tela ropa tecido pano roupa tessuto stoffa 布 クロス 布料 衣服 천 옷감 클로스 ткан одежд
hair fur : haar haare fell cheveux poils fourrure pelo cabello cabelo pelos capelli pelliccia 髪 毛 ヘア ファー 毛发 头发 毛髮 머리카락 털 헤어 волос мех шерст
terrain landscape : gelande landschaft terrain paysage terreno paisaje paisagem paesaggio 地形 ランドスケープ 景观 지형 랜드스케이프 ландшафт рельеф местност
physics rigid : physik starrkorper physique rigide fisica rigido 物理 剛体 刚体 剛體 物理学 물리 강체 физик тверд
collision : kollision collision colision colisao collisione コリジョン 衝突 碰撞 충돌 콜리전 столкнов коллиз
simulation : simulation simulacion simulacao simulazione シミュレーション 模拟 仿真 시뮬레이션 симуляц
cache : zwischenspeicher cache cache memoria キャッシュ 缓存 快取 緩存 캐시 кэш кеш
uv : uvs uv展開 UV展开 uv展开 развертк 유브이
normals : normalen normales normales normais normali 法線 ノーマル 法线 法線 노멀 노말 нормал
hole : loch locher trou trous agujero agujeros hueco buraco buracos buco buchi 穴 孔洞 洞 孔 구멍 дыр отверст
size : grosse groesse taille tamano tamanho dimensione dimensioni dimension サイズ 大きさ 尺寸 大小 크기 사이즈 размер
resolution : auflosung resolution resolucion resolucao risoluzione 解像度 分辨率 解析度 해상도 разрешен
position : position stellung posicion posicao posizione 位置 ポジション 座標 坐标 위치 позиц положен координат
axis : achse axe eje eixo asse 軸 轴 축 ос
center pivot : mitte zentrum mittelpunkt drehpunkt centre centro pivote pivo perno 中心 ピボット 原点 枢轴 轴心 중심 피벗 центр пивот
name : name namen nom nombre nome 名前 名称 名字 名稱 이름 имя имен назван
text title : text schrift schriftzug texte titre texto titulo testo titolo テキスト 文字 タイトル 文本 标题 텍스트 글자 제목 текст надпис титр заголов
font : schriftart schrift police fuente fonte carattere フォント 字体 字體 글꼴 폰트 шрифт
video movie : video film videodatei clip video pelicula filme filmato 動画 ビデオ 映像 ムービー 视频 影片 視頻 비디오 영상 동영상 видео ролик фильм
audio sound : ton klang audio musik son musique sonido musica audio som suono 音声 オーディオ サウンド 音 音楽 音频 声音 音訊 音乐 오디오 소리 음악 звук аудио музык
effect : effekt effekte effet effets efecto efectos efeito efeitos effetto effetti エフェクト 効果 特效 效果 效应 효과 이펙트 эффект
filter : filter filtre filtro filtros フィルター フィルタ 滤镜 过滤 濾鏡 필터 фильтр
transition : ubergang uberblendung transition transicion transicao transizione トランジション 切り替え 转场 過場 过渡 전환 트랜지션 переход
clip footage : filmmaterial aufnahme metrage rush clip metraje filmagem clipe ripresa フッテージ クリップ 素材 片段 剪辑 푸티지 클립 소재 клип футаж
sequence : sequenz sequence secuencia sequencia sequenza シーケンス 序列 시퀀스 последовательн секвенц
composition : komposition composition composicion composicao composizione コンポジション 合成 컴포지션 композиц
node : knoten noeud noeuds nodo nodos no nodi ノード 节点 節點 노드 узел узл нод
attribute parameter property : attribut eigenschaft parameter eigenschaften attribut propriete parametre proprietes atributo propiedad parametro propiedades propriedade propriedades attributo proprieta アトリビュート 属性 パラメータ プロパティ 参数 參數 屬性 特性 속성 파라미터 매개변수 атрибут параметр своиств
setting : einstellung einstellungen reglage reglages parametres ajuste ajustes configuracion configuracao configuracoes impostazione impostazioni 設定 設置 设置 设定 選項 설정 옵션 настроик
script code : skript code script guion codigo script codice スクリプト コード 脚本 代码 腳本 程式碼 스크립트 코드 скрипт код
plugin : erweiterung zusatzmodul plugin module extension complemento extensao estensione プラグイン アドオン 插件 外掛 扩展 플러그인 애드온 плагин аддон расширен
asset : asset assets recurso recursos ativo risorsa アセット 资产 资源 資產 素材 에셋 애셋 자산 ассет ресурс
level map : ebene karte niveau carte nivel mapa livello mappa レベル マップ 关卡 地图 關卡 레벨 맵 уровен уровн карт
actor : akteur acteur actor ator attore アクター 角色 演员 액터 актер актор
character : figur charakter personnage personaje personagem personaggio キャラクター キャラ 人物 角色 캐릭터 персонаж
blueprint prefab : blaupause prefab ブループリント プレハブ 蓝图 预制体 藍圖 预设 블루프린트 프리팹 блюпринт префаб
game : spiel jeu juego jogo gioco ゲーム 游戏 遊戲 게임 игр
world environment : welt umgebung monde environnement mundo entorno ambiente mondo ワールド 環境 世界 环境 월드 환경 мир окружен
sky : himmel ciel cielo ceu 空 天空 하늘 неб
screen viewport view : bildschirm ansicht ansichtsfenster ecran vue fenetre pantalla vista ventana tela janela schermo finestra ビューポート 画面 ビュー 视口 视图 屏幕 視窗 視圖 뷰포트 화면 뷰 вьюпорт экран вид
window : fenster fenetre ventana janela finestra ウィンドウ 窗口 視窗 창 окн
history : verlauf historie historique historial historico cronologia 履歴 ヒストリー 历史 歷史 히스토리 기록 истор
version : version versión versao versione バージョン 版本 버전 верси
error : fehler erreur erreurs error errores erro erros errore errori エラー 错误 錯誤 오류 에러 ошибк
statistics : statistik statistiques estadisticas estatisticas statistiche 統計 统计 統計 통계 статистик
hierarchy : hierarchie jerarquia hierarquia gerarchia 階層 层级 層級 계층 иерарх
collection : sammlung kollektion collection coleccion colecao collezione raccolta コレクション 集合 合集 컬렉션 коллекц
variable value : wert variable valeur valor variavel valore variabile 値 変数 变量 数值 值 값 변수 значен переменн
noise : rauschen bruit ruido rumore ノイズ 噪声 噪点 雜訊 노이즈 잡음 шум
transparency opacity : transparenz deckkraft transparence opacite transparencia opacidad opacidade trasparenza opacita 透明度 不透明度 透明 투명도 불투명도 прозрач
roughness : rauheit rugosite rugosidad rugosidade ruvidita ラフネス 粗さ 粗糙度 거칠기 러프니스 шерохов
metallic : metallisch metal metallique metalico metallo metallico 金属 メタリック 金属度 메탈릭 금속 металл
displacement : verschiebung deplacement desplazamiento deslocamento spostamento ディスプレイスメント 置换 位移 디스플레이스먼트 변위 смещен дисплеис
modifier : modifikator modificateur modificador modificatore モディファイア モディファイヤー 修改器 모디파이어 модификатор
instance : instanz instance instancia istanza インスタンス 实例 實例 인스턴스 экземпляр инстанс
quality : qualitat qualite calidad qualidade qualita 品質 质量 品質 품질 качеств
speed : geschwindigkeit vitesse velocidad velocidade velocita 速度 スピード 速率 속도 스피드 скорост
distance length : abstand entfernung lange distance longueur distancia longitud comprimento distanza lunghezza 距離 長さ 距离 长度 長度 거리 길이 расстоян длин
angle : winkel angle angulo angolo 角度 角 각도 угол
unit : einheit einheiten unite unites unidad unidades unidade unita 単位 单位 單位 단위 единиц
pass : durchgang renderpass passe pase passo passaggio パス 通道 패스 пасс проход
queue : warteschlange file_attente cola fila coda キュー 队列 佇列 큐 대기열 очеред
document : dokument document documento ドキュメント 文档 文檔 문서 документ
canvas : leinwand arbeitsflache toile zone_de_travail lienzo tela キャンバス 画布 畫布 캔버스 холст
palette : palette paleta tavolozza パレット 调色板 調色盤 팔레트 палитр
pixel : bildpunkt pixel ピクセル 像素 픽셀 пиксел
channel : kanal canal canale チャンネル 通道 频道 채널 канал
lighting : beleuchtung eclairage iluminacion iluminacao illuminazione ライティング 照明 打光 灯光 라이팅 освещен
surface : oberflache surface superficie サーフェス 表面 曲面 표면 поверхн
volume : volumen volume ボリューム 体积 體積 볼륨 объем
marker : markierung marke marqueur marcador marcatore マーカー 标记 標記 마커 маркер метк
menu : menu menue メニュー 菜单 選單 메뉴 меню
tree plant foliage : baum pflanze arbre plante vegetation arbol planta vegetacion arvore vegetacao albero pianta 木 植物 草 树 植被 나무 식물 풀 дерев растен трав
wind force : wind kraft vent force viento fuerza vento forca forza 風 力 风 风力 바람 힘 вет сил
gravity : schwerkraft gravite gravedad gravidade gravita 重力 중력 гравитац
wireframe : drahtgitter filaire alambre aramado ワイヤーフレーム 线框 線框 와이어프레임 каркас
duration time : dauer zeit duree temps duracion tiempo duracao tempo durata 時間 長さ 时间 時長 时长 시간 длительн врем
range : bereich plage intervalle rango intervalo intervallo 範囲 范围 範圍 범위 диапазон
output : ausgabe sortie salida saida uscita 出力 输出 輸出 출력 вывод
all everything : 全て すべて 全部 所有 모두 전체
3d : 3d 三维 三維 立体 입체 трехмерн
`;
