/** What users of other languages call painting, vector artwork and interface design; see `verbRows` for the form. */
export const pictureRows = `
artboard canvas : zeichenflache arbeitsflache zeichenflachen plan_de_travail mesa_de_trabajo mesa_de_trabalho prancheta area_di_lavoro tavola_da_disegno アートボード 画板 工作區域 畫板 아트보드 대지 монтажн_област артборд
canvas : leinwand arbeitsbereich zone_de_travail toile lienzo tela area_de_trabajo area_di_disegno キャンバス 画布 畫布 캔버스 холст
crop : beschneiden freistellen zuschneiden recadrage recadrer rogner recorte recortar encuadrar cortar recorte ritaglio ritagliare 切り抜き トリミング クロップ 裁剪 裁切 자르기 크롭 кадриров обрезк
selection : auswahlbereich auswahl selection selections seleccion selecao selezione 選択範囲 選択 选区 選取範圍 선택영역 선택 выделен
feather : weiche_kante federn contour_progressif adoucir_le_bord calado suavizar_borde desvanecer difuminar esfumar difusao sfuma sfumare sfumatura ぼかす 羽化 柔化 페더 растуш
grow expand : erweitern vergrossern etendre dilater agrandir expandir ampliar espandere allargare 広げる 拡張 扩展 扩大 擴展 확장 넓히기 расшир
shrink : verkleinern schrumpfen retrecir reducir encolher restringere contrarre 縮小 縮める 收缩 縮減 축소 줄이기 сжат сузи
fill bucket : fulleimer ausfullen pot_de_peinture remplissage bote_de_pintura relleno rellenar balde_de_tinta preenchimento secchiello riempimento バケツ 塗りつぶし 油漆桶 填色 油漆桶 페인트통 채우기 заливк
stroke outline : kontur umriss umrandung contour trait trazo contorno traco contorno tratto contorno 線 輪郭 アウトライン 描边 轮廓 輪廓 획 윤곽선 외곽선 обводк контур
dash : strichlinie gestrichelt pointille tirets discontinua guiones tracejado tratteggio 破線 点線 虚线 虛線 점선 пунктир
arrow arrowhead : pfeil pfeilspitze fleche flecha freccia 矢印 箭头 箭頭 화살표 стрелк
corner radius round : ecke ecken eckenradius coin coins angle_arrondi esquina esquinas canto cantos angolo angoli 角 コーナー 角丸 圆角 角落 轉角 모서리 코너 угол угл
radius : radius rayon radio raio raggio 半径 半徑 반지름 반경 радиус
anchor_point anchor : ankerpunkt ankerpunkte point_d_ancrage punto_de_ancla punto_de_anclaje ponto_de_ancoragem punto_di_ancoraggio アンカーポイント 锚点 錨點 고정점 기준점 опорн_точк якор
path : pfade chemins trace trazado trazados tracado tracados tracciato tracciati パス 路径 路徑 패스 경로 контур путь
simplify : vereinfachen simplifier simplificar semplificare 単純化 簡略化 简化 簡化 단순화 упрост
outline outlines : umwandeln_in_pfade vectoriser contornos tracciati アウトライン化 转曲 创建轮廓 建立外框 윤곽선만들기 кривые
trace vectorize : nachzeichnen bildnachzeichner vektorisieren vectoriser vectorisation vectorizar calcar vetorizar rastrear vettorializzare ricalcare ricalco トレース ベクター化 画像トレース 描摹 图像描摹 矢量化 向量化 트레이스 벡터화 векториз трассиров
vector : vektor vektoren vecteur vectoriel vector vectorial vetor vetorial vettore vettoriale ベクター ベクトル 矢量 向量 벡터 вектор
clipping_mask clipping mask : schnittmaske masque_d_ecretage masque_de_decoupage mascara_de_recorte mascara_de_corte maschera_di_ritaglio クリッピングマスク 剪切蒙版 剪裁遮罩 클리핑마스크 обтравочн маск
align left : linksbundig links_ausrichten linke gauche izquierda esquerda sinistra 左 左揃え 左对齐 左側 왼쪽 좌측 слев левом левый лев
right : rechts rechtsbundig droite derecha direita destra 右 右揃え 右对齐 右側 오른쪽 우측 справ прав
top : oben haut arriba superior cima topo alto 上揃え 顶部 頂部 위쪽 상단 верх
bottom : unten bas abajo inferior baixo basso 下揃え 底部 아래쪽 하단 низ
center middle : zentrieren mittig mitte centrer centre centrar centro centralizar meio centrare 中央 中央揃え 居中 中间 置中 가운데 중앙 по_центр центрир
front : vordergrund vorne premier_plan devant frente delante frente davanti primo_piano 前面 最前面 置顶 前移 最前 맨앞 앞으로 передн вперед
back : hinten nach_hinten derriere arriere_plan atras detras tras dietro 背面 最背面 置底 后移 最後 맨뒤 뒤로 задн назад
distribute spacing : verteilen gleichmassig abstande repartir espacer espaciado distribuir espacar espacamento distribuire spaziatura 等間隔 分布 均匀分布 间距 間距 균등분배 간격 распредел интервал
symbol : symbol symbole simbolo simboli シンボル 符号 元件 符號 심볼 символ
pattern : muster motif motifs patron estampado padrao padroes motivo pattern 模様 パターン 图案 花纹 圖樣 무늬 패턴 узор паттерн орнамент
swatch palette : farbfeld farbfelder nuancier nuance muestra_de_color amostra_de_cor campione_di_colore スウォッチ 色板 色票 스와치 견본 образец образц
recolor color : umfarben neu_einfarben recolorer redecorar recolorear recolorir ricolorare 再配色 色替え 重新着色 換色 다시칠하기 перекра
profile : farbprofil profil profil_colorimetrique perfil_de_color perfil profilo_colore profilo カラープロファイル 颜色配置 色彩配置 色彩描述 색상프로필 профил
hue : farbton teinte tono matiz tonalita 色相 色调 色相环 색조 оттен тон
levels : tonwertkorrektur tonwerte niveaux niveles niveis livelli レベル補正 レベル 色阶 色階 레벨 уровн
curves : gradationskurven gradation courbes curvas curve トーンカーブ 曲线调整 色調曲線 곡선조정 кривы
highlight : lichter hautes_lumieres altas_luces realces alteluci luci ハイライト 高光 亮部 하이라이트 светл_тон
sharpen : scharfzeichnen nachscharfen nettete accentuer enfocar nitidez nitidezza contrasto シャープ 鮮明 锐化 銳利化 선명하게 резкост
gaussian blur : gaussscher gauss weichzeichner flou_gaussien desenfoque_gaussiano desfoque_gaussiano sfocatura_gaussiana ガウス ガウシアン 高斯 高斯模糊 가우시안 гаусс
blur soften : weichzeichnen flouter adoucir suavizar difuminar desfocar borrar sfocare ammorbidire ぼかし ぼかす 模糊 柔化 흐리게 블러 размыт смягч
background blur : hintergrundunscharfe flou_d_arriere_plan desenfoque_de_fondo desfoque_de_fundo sfocatura_sfondo 背景ぼかし 背景模糊 배경흐림 размыт_фон
retouch heal : retuschieren reparatur retoucher retocar curar retocar ritoccare 修復 レタッチ 修饰 修图 修補 리터치 보정 ретуш
clone stamp : kopierstempel tampon_de_duplication tampon_de_clonar carimbo timbro_clone スタンプ コピースタンプ 仿制图章 图章 도장 штамп
adjustment : einstellungsebene korrektur reglage ajuste regolazione 調整レイヤー 调整图层 調整圖層 调整层 조정레이어 보정레이어 корректир
blending_mode blend blending : mischmodus fullmethode mode_de_fusion modo_de_fusion modo_de_mesclagem metodo_di_fusione modalita_di_fusione 描画モード ブレンドモード 混合模式 混色模式 블렌드모드 혼합모드 режим_наложен
opacity : deckkraft opacite opacidad opacidade opacita 不透明度 透明度 불투명도 непрозрачн прозрачн
transparent transparency : durchsichtig transparent transparente transparencia transparencia trasparente 透明 透過 透明 투명 прозрачн
flatten merge : reduzieren zusammenfassen aplatir acoplar combinar achatar appiattire 統合 画像を統合 拼合 合并图层 平面化 병합 сведен
down below : darunter darunterliegend inferieur dessous abajo debajo inferior abaixo baixo sotto sottostante 下のレイヤー 下層 向下 下方 下面 아래 нижн вниз
above up : daruber dessus arriba encima acima sopra 上のレイヤー 上方 向上 위 위로 верхн вверх
paint : malebene farbe calque_de_peinture capa_de_pintura camada_de_pintura livello_di_pittura ペイントレイヤー 绘画图层 绘制图层 페인트레이어 рисован
brush : pinsel pinceaux brosses pinceles pinceis pennelli ブラシ 画笔 笔刷 筆刷 브러시 붓 кист
eraser erase : radiergummi radieren gomme effacer borrador goma borracha gomma 消しゴム 橡皮擦 지우개 ластик стереть
eyedropper pick color : pipette pipette cuentagotas conta_gotas contagocce スポイト 吸管 滴管 스포이드 пипетк
ruler guide : lineal hilfslinie regle repere regla guia regua righello guida 定規 ガイド 标尺 参考线 尺規 눈금자 안내선 линейк направл
perspective : perspektive perspective perspectiva prospettiva 遠近 パース 透视 透視 원근 перспектив
onion skin : zwiebelhaut pelure_d_oignon papel_cebolla casca_de_cebola buccia_di_cipolla オニオンスキン 洋葱皮 洋蔥皮 어니언스킨 калька луков
grid pixel : pixelraster grille_de_pixels cuadricula_de_pixeles grade_de_pixels griglia_dei_pixel ピクセルグリッド 像素网格 像素格線 픽셀그리드 пиксельн_сетк
text : texte textos textfeld zone_de_texte cuadro_de_texto caixa_de_texto casella_di_testo テキスト 文字 文本 文本框 텍스트 글자 текст
font : schriftarten polices fuentes tipografia fontes fonti caratteri フォント 字体 字型 글꼴 폰트 서체 шрифт
path text : pfadtext texte_curviligne texto_en_trazado texto_em_caminho testo_su_tracciato パス上文字 路径文字 路徑文字 패스위문자 текст_по_контур
drop_shadow shadow : schlagschatten ombre_portee sombra_paralela sombra_projetada ombra_esterna ドロップシャドウ 投影 阴影 陰影 그림자 드롭섀도 тень тени отбрасыв
component : komponente komponenten composant composants componente componentes componenti コンポーネント 组件 组成 元件 컴포넌트 구성요소 компонент
layer : ebenen calques capas camadas livelli レイヤー 图层 圖層 레이어 слой сло
style : stil stile style styles estilo estilos stile stili スタイル 样式 樣式 스타일 стил
token variable : designvariable jeton ficha トークン 设计变量 令牌 토큰 токен
prototype interaction : prototyp interaktion prototype prototipo interaccion interacao interazione プロトタイプ インタラクション 原型 交互 프로토타입 인터랙션 прототип
comment : kommentar kommentare anmerkung commentaire commentaires comentario comentarios commento commenti コメント 注釈 评论 注释 評論 留言 댓글 코멘트 주석 комментар
layout padding : innenabstand marge_interieure relleno espacamento_interno spaziatura_interna 余白 内边距 填充 패딩 여백 отступ
auto automatic : automatisch automatische automatique automatiquement automatico automaticamente automaticas automatica automatiche 自動 オート 自动 自動化 자동 오토 автоматич авто
icon : symbolbild icone icono icono icona アイコン 图标 圖示 아이콘 иконк значок
page : seite seiten page pages pagina paginas pagine ページ 页面 页 頁面 페이지 страниц
print preflight : druckfertig druckerei druckdaten imprimeur imprimerie imprenta grafica tipografia 入稿 印刷用 印前 印刷 인쇄용 인쇄소 типограф печат
bleed : beschnitt beschnittzugabe fond_perdu sangrado sangria abbondanza al_vivo 裁ち落とし 塗り足し 出血 블리드 도련 вылет
thick weight : strichstarke linienstarke epaisseur_du_trait grosor espessura_do_traco spessore 線幅 粗细 線條粗細 굵기 선두께 толщин
photo image picture : foto fotos photo photographie fotografia 写真 フォト 照片 相片 사진 фото фотограф
button widget : schaltflache bouton boton botao pulsante ボタン 按钮 按鈕 버튼 кнопк
contrast accessibility : barrierefreiheit accessibilite accesibilidad acessibilidade accessibilita アクセシビリティ 无障碍 無障礙 접근성 доступн
dark theme : dunkel dunkelmodus sombre oscuro escuro scuro ダーク 暗い 深色 暗色 다크 어두운 темн
bright light : hell clair claro chiaro 明るい 明亮 浅色 밝은 밝게 светл
`;
