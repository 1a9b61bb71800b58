/** What users of other languages call modelling, sculpting and CAD; see `verbRows` for the form. */
export const shapeRows = `
weld merge : verschweissen verschmelzen souder soldar fundir saldare 溶接 焊接 焊合 용접 сваря сварк
bridge : brucke uberbrucken pont puente ponte ブリッジ 桥接 橋接 브리지 мост
inset : einrucken encart incrustar インセット 差し込み 内插面 内缩 인셋 вставк
loop : schleife schleifen boucle bucle laco anello ループ 循环边 环线 回圈 循环 루프 петл цикл
seam : naht nahte couture coutures costura costuras cucitura cuciture 縫い目 シーム 接缝 缝线 接縫 심 솔기 шов швы шва
crease : knick falz pli pliegue vinco piega 折り目 クリース 折痕 크리스 складк
boolean : boolesche boolesch booleen booleenne booleano booleana booleane ブーリアン ブール演算 ブール 布尔运算 布尔 布林運算 布林 불리언 불린 булев
union : vereinigung vereinigen unione uniao 和集合 并集 聯集 합집합
subtract difference : abziehen subtrahieren differenz soustraire soustraction difference sustraer subtrair subtracao sottrarre sottrazione differenza 減算 差集合 差分 相减 差集 减去 빼기 차집합 вычит вычест
intersect intersection : schneiden schnittmenge intersection intersecter interseccion intersecar interseccao intersezione 交差 交わり 相交 交集 교차 пересеч
thickness solidify shell : dicke wandstarke verdicken epaisseur epaissir grosor espesor engrosar espessura engrossar spessore ispessire 厚み 厚さ 厚くする 厚度 加厚 두께 толщин утолщ
hollow shell : aushohlen hohl creuser evider creux ahuecar vaciar hueco ocar oco svuotare cavo 中空 くり抜く 抽壳 挖空 镂空 속비우기 쉘 пуст полы оболоч
sweep : austragen sweep balayage barrido varredura 掃引 スイープ 扫掠 扫描 스윕 заметан
loft : lofting lissage solevado loftar ロフト 放样 放樣 로프트 лофт
revolve lathe : drehkorper rotationskorper revolution revolucion torno revolucionar rivoluzione tornio tornire 回転体 レイズ 车削 旋转成型 旋轉成形 회전체 선반 вращен токар
patch : flicken piece parche remendo toppa パッチ 补面 修补 패치 заплат
offset : versetzen versatz parallelkurve decaler decalage desfase equidistancia deslocamento offset scostamento offsettare オフセット 偏移 偏置 오프셋 смещен смест эквидистант
fillet round bevel : verrunden abrunden rundung verrundung arrondi arrondir conge redondear redondeo empalme arredondar arredondamento raccordo raccordare arrotondare arrotondamento 丸め 丸める フィレット 角丸 角を丸くする 圆角 倒圆角 圓角 둥글게 둥근 필렛 모깎기 скругл сопряж
chamfer bevel : fase abschragung chanfrein chaflan biselado chanfro smusso smussatura 面取り 倒角 斜角 切角 모따기 фаск
trim : trimmen stutzen ajuster rogner recortar aparar rifilare トリム 修剪 트림 자르기 обрез
extrude : extrudieren extrusion extruir extrusao estrusione estrudere 押し出し 押し出す 挤出 拉伸 擠出 돌출 압출 выдав экструз вытян вытяж
curve spline : kurven spline courbe spline curva spline 曲線 カーブ スプライン 样条 曲线 樣條 스플라인 곡선 сплайн крив
control_point : kontrollpunkt kontrollpunkte point_de_controle punto_de_control ponto_de_controle punto_di_controllo 制御点 コントロールポイント 控制点 控制點 컨트롤포인트 제어점
point points : punkt punkte point points punto puntos ponto pontos punti 点 ポイント 点云 點 점 포인트 точк точек
line : linie linien ligne lignes linea lineas linha linhas linee 線 ライン 线 线条 線條 선 라인 лини
rectangle : rechteck rectangle rectangulo retangulo rettangolo 長方形 四角形 矩形 长方形 사각형 직사각형 прямоуг
ellipse : ellipse elipse ellisse 楕円 椭圆 橢圓 타원 эллипс
triangle : dreieck dreiecke triangle triangulo triangulos triangolo triangoli 三角形 三角面 삼각형 треуг
quad : viereck vierecke quads quadrilatere cuadrilatero quadrilatero 四角形ポリゴン 四边形 四邊形 四边面 사각폴리곤 쿼드 четыреуг квад
cone : kegel cone cono 円錐 コーン 圆锥 圓錐 원뿔 конус
torus : ring torus toroide anneau トーラス 圆环 圓環 토러스 도넛 тор
pyramid : pyramide piramide ピラミッド 棱锥 金字塔 피라미드 пирамид
tube pipe : rohr rohre schlauch tuyau tube tubo tuberia cano パイプ チューブ 管 管道 튜브 파이프 труб
solid : volumenkorper festkorper korper solide solido solidos solidi ソリッド 実体 实体 實體 솔리드 твердотел тел
surface : flache flachen oberflache surface surfaces superficie superficies サーフェス 面 曲面 서피스 곡면 поверхност
subdivision : unterteilung subdivision subdivision_surface subdivision suddivisione 細分割 サブディビジョン 细分曲面 細分曲面 섭디비전 서브디비전 подраздел
polycount decimate polyreduce : polygonanzahl polygonreduktion nombre_de_polygones cantidad_de_poligonos numero_de_poligonos ポリゴン数 ポリゴン削減 ポリゴンを減らす 减少面数 减少多边形 面数 多边形数量 폴리곤수 полигонаж
remesh retopology : neuvernetzen neuvernetzung retopologie retopologieren retopologia remaillage remailler remallado リメッシュ リトポロジー リトポ 重构网格 重新拓扑 重拓扑 重构 리메시 리토폴로지 ретополог перестро
topology : topologie topologia トポロジー 拓扑 拓撲 토폴로지 тополог
detail : einzelheit details detail detalle detalles detalhe detalhes dettaglio dettagli 細部 ディテール 细节 細節 디테일 세부 детал
resolution density : dichte densite densidad densidade densita 密度 밀도 плотн
wall : wand wande mur murs pared muro parede parete 壁 墙 牆 壁厚 벽 стен
weight : gewicht gewichtung poids peso 重み ウェイト 权重 權重 가중치 무게 вес
inflate : aufblasen gonfler inflar insuflar gonfiare 膨張 膨らませる 膨胀 充气 부풀리기 팽창 надут вздут раздув
flatten : abflachen aplatir aplanar achatar appiattire 平らにする 平坦化 压平 平整 展平 평평하게 평탄화 плоск сплющ
pinch : kneifen pincer pellizcar beliscar pizzicare つまむ ピンチ 收缩 夹捏 핀치 꼬집기 сжат
bend : biegen plier courber doblar curvar dobrar piegare 曲げる ベンド 弯曲 彎曲 굽히기 벤드 구부리기 изгиб сгиб согн
twist : verdrehen verwinden tordre torsion torcer torsion torcere torsione ねじる ツイスト 扭曲 扭转 비틀기 트위스트 скруч скрут
taper : verjungen effiler ahusar afilar afunilar rastremare テーパー 锥化 테이퍼 заостр
warp distort : verzerren verkrummen deformer distordre distorsion deformar distorsionar distorcer distorcere 歪める ワープ 歪み 扭曲变形 变形 왜곡 워프 искаж деформ
lattice : gitterverformung treillis celosia reticulo reticolo ラティス 晶格 래티스 решет
relax smooth : entspannen relaxer relajar relaxar rilassare リラックス 松弛 릴랙스 расслаб
stroke : pinselstrich strich trait coup trazo pincelada traco tratto pennellata ストローク 一筆 笔触 笔划 筆觸 스트로크 획 мазок мазк штрих обводк
sculpting brush : skulptierpinsel pinceau_de_sculpture 雕刻笔刷 スカルプトブラシ 조각브러시
symmetry mirror : symmetrie symetrie simetria simmetria 対称 シンメトリー 对称 對稱 대칭 симметр
array : anordnung muster reihe reseau matrice matriz arreglo 配列 アレイ 阵列 陣列 배열 массив
radial : radial kreisformig radiale radialmente 放射状 放射 径向 环形 방사형 원형배열 радиальн
clone cloner : klonen klon cloner clonar clone clonare クローン クローナー 克隆 克隆器 복제 클론 клон
grid : raster gitter grille cuadricula rejilla griglia グリッド 格子 网格线 格線 그리드 격자 сетк
shrinkwrap wrap : umhullen wickeln envelopper emballer envolver encoger avvolgere 包み込む 包裹 缠绕 감싸기 랩 обтян обертк обволак
attach combine : anfugen fusionner attacher unir acoplar unire アタッチ 結合 附加 合并 합치기 결합 присоед
detach separate : abtrennen ablosen trennen detacher separer separar desprender destacar staccare separare 分離 切り離す 分离 拆离 分離 분리 떼어내기 отдел отсоед открепл
explode : zerlegen explodieren exploser descomponer explotar explodir esplodere 分解 爆発 炸开 分解 분해 폭발 разобр взры
cap fill close : verschliessen deckel boucher fermer tapar cerrar tampar fechar tappare chiudere ふた 塞ぐ 封盖 封口 补洞 封閉 막기 덮기 закры заглуш
pivot origin : angelpunkt ursprung pivot origine origen pivote origem pivo origine 原点 基点 轴心点 原點 기준점 피벗 원점 опорн пивот начал
ground floor : boden sol suelo piso chao pavimento 床 地面 グラウンド 地板 바닥 지면 пол земл
freeze reset transform : transformationen transformations transformaciones transformacoes trasformazioni トランスフォーム 变换 트랜스폼 трансформ
dimension : bemassung bemassen cote cotation cota acotar acotacion cotas quota quotare quotatura 寸法 寸法線 尺寸标注 标注 標註 치수 размерн размер
hatch : schraffur hachure hachures sombreado rayado hachura tratteggio ハッチング ハッチ 填充图案 剖面线 剖面線 해칭 해치 штрихов
drawing : zeichnung zeichnungen dessin plan dibujo plano desenho disegno 図面 製図 工程图 图纸 圖紙 도면 чертеж рисун
section clipping : schnitt schnittebene coupe section plan_de_coupe seccion corte secao sezione 断面 切断面 クリッピング 剖切 剖面 截面 裁剪平面 단면 сечен разрез отсечен
block : blocke bloc blocs bloque bloques bloco blocos blocco blocchi ブロック 图块 圖塊 块 블록 блок
layout sheet : blatt plankopf mise_en_page feuille lamina hoja diagramacion folha prancha foglio impaginazione レイアウト 布局 图幅 版面 레이아웃 макет компоновк лист
tolerance : toleranz tolerance tolerancia tolleranza 許容差 公差 容差 허용오차 допуск
draft angle : formschrage entformungsschrage depouille desmoldeo saida_de_molde sformo 抜き勾配 拔模 脱模 구배
mold : form gussform moule molde stampo 金型 型 模具 금형 몰드 форм пресс
curvature : krummung courbure curvatura 曲率 곡률 кривизн
volume : volumen rauminhalt volume 体積 体积 體積 체적 부피 объем
area : flacheninhalt flache aire area superficie 面積 面积 區域 면적 영역 площад област
continuity : stetigkeit continuite continuidad continuidade continuita 連続性 连续性 연속성 непрерывн
construction : konstruktion construction construccion construcao costruzione 構築 构造 구성 построен
cad : konstruktionsdaten cao dao 設計 设计图 캐드 сапр
print 3dprint stl : drucken druck ausdrucken imprimer impression imprimir impresion impressao stampare stampa 印刷 プリント 打印 列印 3D打印 인쇄 프린트 출력 печат распечат
hollow drain : abfluss evacuation drenaje dreno scarico 排液孔 배수
wireframe shaded : schattiert ombre sombreado sombreado ombreggiato シェーディング 着色 음영 затенен
sketch : skizze entwurf esquisse croquis boceto esboco schizzo bozza スケッチ 草图 草圖 스케치 эскиз набросок
gear : zahnrad engrenage engranaje engrenagem ingranaggio 歯車 ギア 齿轮 齒輪 기어 шестер
screw bolt : schraube vis tornillo parafuso vite ねじ 螺丝 螺栓 나사 볼트 винт болт
assembly : baugruppe assemblage ensamblaje montagem assieme アセンブリ 装配 組裝 어셈블리 조립 сборк
part : bauteil teil teile piece pieces pieza piezas peca pecas pezzo pezzi パーツ 部品 零件 部件 부품 부분 детал част
level subdivision : stufe niveau nivel livello 段階 级别 級別 단계 уровен уровн
`;
