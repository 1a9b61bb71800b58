/** What users of other languages call materials, light, cameras and rendering; see `verbRows` for the form. */
export const lookRows = `
shader : shader schattierer ombreur sombreador シェーダー シェーダ 着色器 셰이더 шейдер
bump : relief relieve relevo rilievo バンプ 凹凸 범프 рельеф бамп
normal_map normal : normalenkarte normal_map carte_de_normales mapa_de_normales mapa_de_normais mappa_normali 法線マップ ノーマルマップ 法线贴图 法線貼圖 노멀맵 карт_нормал
ambient occlusion ao : umgebungsverdeckung verdeckung occlusion oclusion oclusao occlusione オクルージョン 遮蔽 环境光遮蔽 遮擋 오클루전 차폐 затенен окклюз
reflection : reflexion spiegelung reflet reflexion reflejo reflexo reflexao riflesso riflessione 反射 映り込み 反射率 반사 отражен
refraction : brechung refraction refraccion refracao rifrazione 屈折 折射 굴절 преломл
gloss glossy : glanz brillance brillo brilho lucentezza 光沢 グロス 光泽 光澤 광택 глянец глянцев
emission emissive : leuchtend selbstleuchtend emissif emisivo emissivo エミッション 発光 自发光 發光 이미션 발광 свечен
height displacement : hohe hohenkarte hauteur carte_de_hauteur altura mapa_de_alturas altezza 高さ ハイトマップ 高度 高度图 高度圖 높이 하이트맵 высот
tile tiling seamless : kachel kacheln gekachelt nahtlos tuile carreau raccord mosaico baldosa sin_costuras azulejo sem_emendas piastrella tassellare senza_giunture タイル タイリング シームレス 继ぎ目のない 平铺 无缝 瓷砖 無縫 타일 타일링 심리스 бесшовн плитк тайл
decal sticker : abziehbild aufkleber aufkleben decalcomanie autocollant calcomania pegatina adhesivo decalque adesivo decalcomania adesivo デカール ステッカー シール 贴花 贴纸 貼花 데칼 스티커 декал наклейк стикер
logo : logo firmenlogo logotype logotipo ロゴ 标志 徽标 標誌 로고 логотип
environment hdri : umgebungsbild umgebungskarte carte_d_environnement mapa_de_entorno mapa_de_ambiente mappa_ambiente 環境マップ 环境贴图 環境貼圖 环境光 환경맵 карт_окружен
sun : sonne sonnenlicht soleil sol sole 太陽 太阳 日光 태양 солнц
day time : tageszeit uhrzeit heure_du_jour hora_del_dia hora_do_dia ora_del_giorno 時刻 時間帯 时刻 一天中的时间 시각 시간대 врем_суток
night : nacht nuit noche noite notte 夜 夜晚 밤 ноч
spot : spot scheinwerfer projecteur foco holofote faretto スポットライト 聚光灯 聚光燈 스포트라이트 прожектор
area : flachenlicht lumiere_de_zone luz_de_area luce_area エリアライト 面光 面光源 区域光 面光燈 면조명 에어리어라이트 площадн
dome : kuppel dome cupula cupola ドーム 穹顶 돔 купол
intensity strength : intensitat starke intensite force intensidad fuerza intensidade forca intensita forza 強度 強さ 强度 强弱 강도 세기 интенсивн сил
temperature : temperatur temperature temperatura 色温度 温度 色温 色溫 온도 색온도 температур
exposure : belichtung exposition exposicion exposicao esposizione 露出 露光 曝光 曝光度 노출 экспозиц
aperture : blende blendenoffnung ouverture apertura abertura diaframma 絞り 光圈 조리개 диафрагм
focal_length focal lens : brennweite focale distance_focale distancia_focal distancia_focale lunghezza_focale 焦点距離 焦距 초점거리 фокусн объектив
lens : objektiv linse objectif lentille lente objetivo obiettivo レンズ 镜头 鏡頭 렌즈 объектив линз
focus : fokus scharfe mise_au_point foco enfoque fuoco フォーカス ピント 焦点 对焦 對焦 초점 포커스 фокус
depth dof : tiefenscharfe scharfentiefe profondeur_de_champ profundidad_de_campo profundidade_de_campo profondita_di_campo 被写界深度 景深 피사계심도 심도 глубин
motion_blur blur : bewegungsunscharfe flou_de_mouvement desenfoque_de_movimiento desfoque_de_movimento sfocatura_di_movimento モーションブラー 运动模糊 動態模糊 모션블러 смаз
sample samples : abtastung abtastungen echantillon echantillons echantillonnage muestra muestras muestreo amostra amostras amostragem campione campioni campionamento サンプル サンプリング 采样 取樣 采样数 샘플 샘플링 семпл сэмпл выборк
denoise : entrauschung debruitage eliminar_ruido reduccion_de_ruido reducao_de_ruido riduzione_rumore riduzione_del_rumore ノイズ除去 ノイズ低減 デノイズ 降噪 去噪 除噪 노이즈제거 노이즈감소 шумоподав шумопониж
render_queue queue : renderwarteschlange file_de_rendu file_d_attente cola_de_render cola_de_procesamiento fila_de_render fila_de_renderizacao coda_di_rendering レンダーキュー レンダリングキュー 渲染队列 渲染佇列 렌더큐 렌더대기열 очеред_рендер
network farm : netzwerk renderfarm reseau ferme granja rede fazenda rete ネットワーク レンダーファーム 网络 渲染农场 網路 네트워크 렌더팜 сет рендерферм
element pass aov : element renderebene passe passes elemento elementi elementos 要素 レンダーエレメント 渲染元素 通道 요소 렌더패스 элемент проход
region : bereich ausschnitt region zone region regiao regione 領域 区域 區域 영역 област участ
preview : vorschau apercu previsualisation vista_previa previsualizacion previa pre_visualizacao anteprima プレビュー 预览 預覽 미리보기 프리뷰 предпросмотр превью
live interactive : interaktiv interactif interactivo interativo interattivo インタラクティブ 交互 交互式 互動 인터랙티브 интерактивн
global gi illumination : globale_beleuchtung illumination_globale iluminacion_global iluminacao_global illuminazione_globale グローバルイルミネーション 大域照明 全局光照 全域照明 글로벌일루미네이션 전역조명 глобальн_освещен
lightmap : lichtkarte lichtkarten carte_de_lumiere mapa_de_luz mapa_de_luces mapa_de_iluminacion mapas_de_luz mappa_di_luce ライトマップ 光照贴图 光照貼圖 光照烘焙 라이트맵 лайтмап карт_освещ
static : statisch statische statique estatico estatica statico statica 静的 静态 靜態 정적 статическ статичн
fog volumetric : nebel brouillard niebla nevoa nebbia 霧 フォグ 雾 霧氣 안개 туман
background plate : hintergrundbild hintergrundplatte arriere_plan fondo plano_de_fundo sfondo 背景画像 背景图 背景圖 배경이미지 фон задн
channel map : kanale canaux canales canais canali チャンネル 通道 채널 канал
mask dirt : schmutz salete suciedad sujeira sporco 汚れ 污渍 污垢 髒污 때 오염 гряз
rust : rost rouille oxido oxidado ferrugem ruggine 錆 さび 锈 生锈 鏽 녹 ржавчин
wear : abnutzung verschleiss usure desgaste usura 摩耗 磨损 磨損 마모 износ потерт
scratch : kratzer rayure rasguno aranhao arranhao graffio 傷 引っかき傷 划痕 刮痕 스크래치 царапин
wood : holz bois madera madeira legno 木材 木目 木头 木材 나무 дерев
stone concrete : stein beton pierre piedra hormigon pedra concreto pietra calcestruzzo 石 コンクリート 石头 混凝土 石材 돌 콘크리트 камен бетон
glass : glas verre vidrio cristal vidro vetro ガラス 玻璃 유리 стекл
smart : intelligent intelligentes intelligente inteligente inteligentes スマート 智能 智慧 스마트 умн
generator : generator generateur generador gerador generatore ジェネレーター ジェネレータ 生成器 发生器 產生器 제너레이터 생성기 генератор
gradient ramp : verlauf farbverlauf degrade gradient degradado gradiente sfumatura gradiente グラデーション 渐变 漸層 그라디언트 그라데이션 градиент
greyscale grayscale : graustufen niveaux_de_gris escala_de_grises escala_de_cinza tons_de_cinza scala_di_grigi グレースケール 灰度 灰階 흑백 그레이스케일 сер
albedo color : grundfarbe couleur_de_base color_base cor_base colore_base ベースカラー 基础色 固有色 베이스컬러 альбедо базов
texel density : texeldichte densite_de_texels テクセル密度 纹素密度 텍셀밀도 тексел
unwrap : uv_abwicklung abwicklung auspacken deplier depliage desplegar desdobrar desenvolver sviluppare scartare UV展開 展开UV 展UV UV拆分 UV展开 언랩 펼치기 развертк разверт
island : insel inseln ile ilot isla islas ilha ilhas isola isole アイランド 島 孤岛 UV岛 島 아일랜드 섬 остров
pack : packen verpacken empaqueter tasser empaquetar empacotar impacchettare パック 詰める 打包 排列 封裝 패킹 꾸리기 упаков
projection : projektion projektionen projection proyeccion projecao proiezione 投影 プロジェクション 映射 투영 проекц
ray raytracing : strahl raytracing lancer_de_rayons trazado_de_rayos tracado_de_raios レイトレーシング 光线追踪 光線追蹤 레이트레이싱 трассиров
illuminate : beleuchten ausleuchten eclairer iluminar illuminare 照らす 照亮 打光 비추기 освет
link : lichtverknupfung liaison vinculo ligacao collegamento ライトリンク 灯光链接 燈光連結 라이트링크 привязк
viewport display : darstellung anzeigemodus affichage visualizacion exibicao visualizzazione 表示モード 显示模式 顯示模式 표시모드 отображен
mode : modus mode modo modalita モード 模式 모드 режим
turntable : drehteller plateau_tournant plataforma_giratoria mesa_giratoria piattaforma_girevole ターンテーブル 转台 轉台 턴테이블 поворотн
thumbnail : miniaturansicht vorschaubild vignette miniature miniatura サムネイル 缩略图 縮圖 섬네일 миниатюр эскиз
override : uberschreiben uberschreibung remplacer surcharge anular sobrescribir sobrescrever substituicao sovrascrivere オーバーライド 上書き 覆盖 覆寫 오버라이드 덮어쓰기 переопредел перезапис
variant : variante varianten variantes variante varianti バリエーション バリアント 变体 變體 변형 배리언트 вариант
library : bibliothek bibliotheque biblioteca libreria ライブラリ ライブラリー 库 資料庫 라이브러리 библиотек
preset template : vorlage vorlagen voreinstellung modele prereglage gabarit plantilla preajuste predefinido modelo predefinicao modello preimpostazione テンプレート プリセット 模板 预设 範本 预置 템플릿 프리셋 шаблон пресет
environment sky : himmel atmosphare atmosphere atmosfera 大気 大气 天空 대기 атмосфер
`;
