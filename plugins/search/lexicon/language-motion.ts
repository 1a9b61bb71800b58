/** What users of other languages call animation, rigging, simulation and garments; see `verbRows` for the form. */
export const motionRows = `
keyframe key : schlusselframe keyframe image_clef image_cle images_cles fotograma_clave fotogramas_clave cuadro_clave quadro_chave quadros_chave fotogramma_chiave キーフレーム キー 关键帧 關鍵幀 关键影格 키프레임 кейфрейм ключев_кадр ключ
easing ease : beschleunigung abbremsen lissage acceleration amorti suavizado aceleracion suavizacao rallentamento イージング 緩急 缓动 缓入缓出 緩動 이징 плавн сглаж
tangent : tangente tangenten tangentes tangenti 接線 タンジェント 切线 탄젠트 касательн
interpolation interpolate : interpolieren interpoler interpolar interpolazione interpolare 補間 插值 插补 보간 интерпол
loop cycle repeat : wiederholen schleife endlos boucler boucle repeter bucle ciclo repetir ciclar repeticao ripetere ciclo 繰り返し 繰り返す ループ 循环 重复 循環 반복 루프 повтор циклическ зацикл
pose : korperhaltung pose posen posture postura pose posa ポーズ 姿势 姿勢 姿态 포즈 자세 поз
retarget : uebertragen recibler reciblage retargeting reorientar retargeting redirecionar リターゲット 重定向 动作重定向 重新定向 리타겟팅 리타게팅 리타겟 ретаргет перенацел
transfer : ubertragung transfert transferencia trasferimento 転送 传递 转移 전송 이전 перенос передач
mocap : bewegungserfassung capture_de_mouvement captura_de_movimiento captura_de_movimento cattura_del_movimento モーションキャプチャ モーキャプ 动作捕捉 动捕 動態捕捉 모션캡처 모캡 захват_движен мокап
motion movement : bewegung bewegungen mouvement movimiento movimento モーション 動き 运动 动作 運動 動作 모션 움직임 동작 движен
trajectory : flugbahn bewegungsbahn trajectoire trayectoria trajetoria traiettoria 軌跡 轨迹 軌跡 궤적 траектор
ik : inverse_kinematik cinematique_inverse cinematica_inversa 逆運動学 反向动力学 逆向运动学 역운동학 обратн_кинематик
fk : vorwartskinematik cinematique_directe cinematica_directa cinematica_direta 正向动力学 正運動学
controller rig control : steuerung steuerelement controleur controlador controle controllore controllo コントローラー コントローラ 控制器 컨트롤러 контроллер управл
rig rigging : rigging gerust riggar riggear リギング リグ 绑定 骨骼绑定 리깅 риггинг риг
bone : knochen hueso hueso osso ossa ossos os 骨 ボーン 骨头 骨骼 본 뼈대 뼈 кость кост
chain : kette chaine cadena cadeia catena チェーン 鎖 链 鏈 체인 цеп
hand : hand hande mano manos mao maos mani 手 손 рук кист
foot : fuss fusse pied pieds pie pies pe pes piede piedi 足 脚 발 ног стоп
head : kopf tete cabeza cabeca testa 頭 头 頭部 머리 голов
face facial : gesicht visage rostro cara rosto viso volto 顔 フェイシャル 脸 面部 表情 臉 얼굴 лиц
expression : ausdruck ausdrucke expression expresion expressao espressione 式 エクスプレッション 表达式 表達式 표현식 익스프레션 выражен
blendshape shape morph : morph formschlussel forme_cle clave_de_forma chave_de_forma ブレンドシェイプ シェイプキー モーフ 变形目标 形态键 融合变形 形狀鍵 블렌드셰이프 쉐이프키 모프 морф блендшейп
lipsync : lippensynchronisation lippen synchronisation_labiale sincronizacion_labial sincronia_labial sincronizzazione_labiale リップシンク 口パク 口型同步 唇形同步 对口型 립싱크 липсинк синхронизац_губ
mouth : mund bouche boca bocca 口 嘴 嘴巴 입 рот губ
eye : auge augen oeil yeux ojo ojos olho olhos occhio occhi 目 眼睛 눈 глаз
biped : zweibeiner bipede bipedo 二足 バイペッド 两足 二足骨骼 바이페드 двуног бипед
walk : gehen laufen marche marcher caminar andar camminare camminata passeggiare 歩行 歩く 行走 走路 걷기 보행 ходьб шаг
footstep : schritt schritte pas pasos passos passi 足跡 足音 脚步 발자국 шаг
take : aufnahmen prise prises toma tomas tomada presa テイク 镜次 테이크 дубл
jitter noise : zittern tremblement temblor tremor tremolio 揺れ ジッター 抖动 떨림 지터 дрож
gap : lucke lucken trou ecart hueco huecos lacuna lacunas spazio vuoto ギャップ 隙間 空隙 间隙 間隔 간격 틈 빈틈 промежут разрыв пробел
marker : markierungen marqueurs marcadores marcatori マーカー 标记点 标记 標記 마커 маркер
floor_contact contact : bodenkontakt contact_au_sol contacto_con_el_suelo 接地 接触 접지 контакт
actor performer : darsteller schauspieler acteur actor intérprete interprete ator attore 演者 演员 배우 актер
animation clip : animationsclip bewegungsclip clip_animation アニメーションクリップ 动画片段 动画剪辑 애니메이션클립 анимационн
state : zustand zustande etat etats estado estados stato stati 状態 ステート 状态 狀態 상태 스테이트 состоян
rigid_body rigid rigidbody : starrkorper corps_rigide cuerpo_rigido corpo_rigido 剛体 リジッドボディ 刚体 剛體 강체 리지드바디 тверд_тел
soft_body soft : weichkorper corps_mou cuerpo_blando corpo_mole corpo_morbido ソフトボディ 软体 軟體 소프트바디 연체 мягк_тел
mass : masse masa massa 質量 质量 質量 질량 масс
friction : reibung frottement friction friccion atrito attrito 摩擦 摩擦力 마찰 трен
bounce : abprallen rebond rebondir rebote quicar rimbalzo 反発 バウンド 弹跳 反弹 바운스 튀기 отскок прыгуч
explosion : explosion explosao esplosione 爆発 爆炸 폭발 взрыв
fracture shatter : zersplittern bruch eclater fractura estilhacar fratturare fratturazione 砕く 破砕 粉碎 碎裂 破碎 파쇄 조각내기 깨뜨리기 раскол осколк разлом
debris pieces : trummer splitter debris escombros detritos detriti 破片 碎片 파편 облом осколк
fluid liquid water : flussigkeiten liquides liquido liquidi 液体 流体 液體 액체 유체 물 жидкост
ocean : ozean meer mer ocean mar oceano mare 海 海洋 大海 바다 해양 океан мор
wave : welle wellen vague vagues ola olas onda ondas onde 波 波浪 海浪 파도 파동 волн
rain : regen pluie lluvia chuva pioggia 雨 비 дожд
snow : schnee neige nieve neve 雪 눈 снег
dust : staub poussiere polvo poeira polvere 埃 ほこり 灰尘 灰塵 먼지 пыл
erosion erode : erodieren eroder erosionar erodir erosione erodere 侵食 浸食 侵蚀 侵蝕 침식 эроз
mountain terrain : berg berge montagne montana montanha montagna 山 山脉 산 гор
turbulence : turbulenz turbulence turbulencia turbolenza 乱流 湍流 乱流场 난류 турбулент
force_field force field : kraftfeld champ_de_force campo_de_fuerza campo_de_forca campo_di_forza フォースフィールド 力场 力場 역장 포스필드 силов_пол
falloff : abfall abnahme attenuation atenuacion atenuacao attenuazione 減衰 衰减 감쇠 затухан спад
particle emitter : emitter emetteur emisor emissor emettitore エミッター 发射器 發射器 이미터 방출기 эмиттер излучат
emission : ausstoss emission emision emissao emissione 放出 发射 발산 방출 эмисс
crowd : menge menschenmenge foule multitud multidao folla 群衆 群集 人群 군중 толп
agent : agent agenten agents agente agentes agenti エージェント 代理 에이전트 агент
hair groom : frisur frisieren coiffure peinado penteado acconciatura グルーミング 梳理 毛发梳理 그루밍 причес
fiber : faser fasern fibre fibra fibras 繊維 ファイバー 纤维 섬유 волокн
feather : feder federn plume pluma plumas pena penas piuma 羽 羽毛 깃털 перь
garment cloth : kleidungsstuck kleidung kleider vetement vetements habits prenda ropa vestido vestimenta peca_de_roupa roupa roupas indumento vestito abito vestiti 衣服 服 衣装 服装 衣物 服裝 옷 의상 의류 одежд костюм
fabric cloth : gewebe stoffe etoffe tissu tela tejido tecido tessuto 生地 布地 布料 面料 織物 원단 직물 ткан материя
pattern : schnittmuster schnittteil patron patrons patron_de_couture molde modelagem cartamodello 型紙 パターン 版片 纸样 样板 版型 패턴 옷본 выкройк лекал
sew : nahen vernahen zusammennahen coudre couture coser costurar cucire 縫う 縫い合わせる 縫製 缝合 缝纫 縫合 재봉 꿰매기 봉제 сши шить пришит
stitch topstitch : stich steppnaht ziernaht piqure surpiqure puntada pespunte ponto pesponto punto impuntura ステッチ 縫い目 明线 缝线 线迹 스티치 строчк стежок стежк
dart : abnaher pince pinza pence ダーツ 省道 다트 вытачк
seam_allowance : nahtzugabe marge_de_couture margen_de_costura margem_de_costura margine_di_cucitura 縫い代 缝份 縫份 시접 припуск
zipper : reissverschluss fermeture_eclair fermeture cremallera ziper fecho cerniera ファスナー ジッパー 拉链 拉鍊 지퍼 молни застежк
button : knopf knopfe bouton boton botao bottone ボタン 纽扣 按钮 扣子 按鈕 버튼 단추 кнопк пуговиц
pleat fold : falte falten plisse pli pliegue prega piega プリーツ 折り畳む 褶 折叠 주름 접기 складк
drape : 着せる 着せ 着る 穿上 穿 입히 입히기 одет anziehen ankleiden habiller vestir vestire drapieren fallen draper drapear caer caimento drappeggiare ドレープ 悬垂 垂坠 드레이프 драпир
grade : gradieren gradation grader escalado graduar gradacao sviluppo_taglie sfilamento グレーディング 放码 推档 그레이딩 градац
avatar : avatar mannequin maniqui manequim manichino アバター マネキン 虚拟模特 化身 虛擬人 아바타 마네킹 аватар манекен
body : korper corps cuerpo corpo 体 身体 ボディ 身體 몸 신체 тел
measurement : korpermasse messwerte abmessungen mensurations mesure medidas medida misure misura 採寸 测量 尺寸 量体 치수 측정 мерк обмер замер
fit : passform anpassung ajustement ajuste caimento vestibilita フィット 合身 贴合 맞춤 핏 посадк подгонк
silk leather denim : seide leder jeans soie cuir jean seda cuero seta pelle jeans シルク 革 デニム 丝绸 皮革 牛仔 실크 가죽 데님 шелк кож джинс
pin attach : fixieren anheften pin epingler fixer fijar sujetar prender fissare appuntare 固定 ピン留め ピン 固定 钉住 고정 핀 закреп
glove suit : anzug handschuh combinaison gant traje guante luva tuta guanto スーツ グローブ 动捕服 手套 수트 장갑 костюм перчатк
live realtime : echtzeit live temps_reel direct tiempo_real vivo tempo_real tempo_reale リアルタイム ライブ 实时 即時 实况 실시간 라이브 реальн_врем вживую интерактив
record : aufzeichnen aufnehmen enregistrer grabar gravar registrare 記録 録画 レコード 录制 記錄 录像 기록 녹화 записыв записат
camera shake wiggle : wackeln verwackeln trembler tembler agitar tremer scuotere oscillare 揺らす ウィグル 晃动 摇晃 흔들기 흔들림 тряск покачив
stretch : strecken dehnen etirer estirar esticar allungare stirare 伸ばす ストレッチ 拉伸 늘이기 растян растяж
follow : sigue siguen segue seguono suivent folgt folgen suivre seguir seguire 追従 追いかける 跟随 跟隨 따라가기 추적 следова следит
look aim : zielen blicken viser regarder mirar apuntar olhar mirare puntare 注視 狙う 注视 瞄准 注視 바라보기 조준 нацел смотр
target : ziel zielobjekt cible objetivo alvo bersaglio obiettivo ターゲット 目標 目标 목표 타겟 цел
expression driver : treiber pilote controlador driver ドライバー 驱动器 驱动 驅動 드라이버 драйвер
`;
