/** What users of other languages call editing, compositing, grading and sound; see `verbRows` for the form. */
export const editingRows = `
caption subtitle : untertitel untertiteln untertitelung sous_titre sous_titres sous_titrage soustitre soustitres soustitrage subtitulo subtitulos subtitular legenda legendas legendar sottotitolo sottotitoli sottotitolare 字幕 サブタイトル キャプション 字幕文字 자막 서브타이틀 캡션 субтитр
speech voice dialogue : gesprochen gesprochene hablan habla falam parlano parlent sprache stimme stimmen gesprochen dialog voix parole dialogue voz voces habla dialogo vozes fala voce voci parlato dialogo 音声 声 台詞 セリフ 会話 语音 人声 对白 語音 人聲 음성 목소리 대사 대화 реч голос диалог
transcribe transcript : transkribieren transkription abschrift transcrire transcription transcribir transcripcion transcrever transcricao trascrivere trascrizione 文字起こし 転写 转录 听写 轉錄 전사 받아쓰기 транскри расшифров
music : musik musique musica 音楽 ミュージック BGM 音乐 配乐 音樂 음악 музык
volume gain : lautstarke volumen volume gain volumen_de_audio ganancia ganho guadagno 音量 ゲイン 增益 볼륨 음량 게인 громкост
loudness : lautheit sonie sonoridad sonoridade ラウドネス 响度 響度 라우드니스 громкост
duck lower : absenken attenuer atenuar abaixar abbassare ダッキング 闪避 压低 덕킹 приглуш
mute : stummschalten stumm muet couper_le_son silenciar mudo muto silenziare ミュート 消音 静音 靜音 음소거 заглуш без_звук
denoise : hintergrundgerausch rauschunterdruckung rauschminderung bruit_de_fond bruits ruido_de_fondo ruido_de_fundo rumore_di_fondo 背景噪声 배경소음 фонов_шум
noise : gerausch gerausche bruits 雑音 噪音 雜音 소음 잡음 шум
sync : synchronisieren abgleichen synchroniser sincronizar sincronizzare 同期 同步 동기화 싱크 синхрониз
multicam angle : mehrkamera multikamera multicamera multicam multicamara multicamera マルチカメラ マルチカム 多机位 多机 多機 멀티캠 멀티카메라 мультикам многокамер
cut : schnitt schnitte schneiden coupe montage corte cortes taglio tagli カット 切れ目 剪切点 切 剪 剪輯 컷 разрез склейк
razor split blade : rasierklinge klinge teilen lame rasoir scinder cuchilla dividir lamina navalha lametta taglierina レーザー 分割 ブレード 剃刀 刀片 分割 剃刀 자르기도구 칼날 분할 лезви разрез
playhead : abspielkopf abspielposition tete_de_lecture cabezal cabezal_de_reproduccion indicador_de_reproducao agulha cursor_de_reproducao testina indicatore_di_riproduzione 再生ヘッド 播放头 播放頭 播放指针 재생헤드 플레이헤드 указател плейхед курсор
timeline sequence : schnittfenster montage ligne_de_temps linea_de_tiempo linha_do_tempo タイムライン 时间线 时间轴 時間軸 타임라인 таймлайн монтажн
track : spur spuren tonspur piste pistes pista pistas faixa faixas traccia tracce トラック 轨道 軌道 트랙 дорожк трек
transition dissolve : uberblenden uberblendung fondu transition fundido transicion transicao transizione dissolvenza トランジション ディゾルブ 切り替え 转场 溶解 叠化 過場 전환 디졸브 переход
dissolve fade crossfade transition : kreuzblende uberblendung fondu_enchaine fondu fundido fundido_cruzado encadenado fusao_cruzada dissolucao dissolvenza dissolvenza_incrociata クロスディゾルブ クロスフェード 交叉溶解 交叉淡化 交叉叠化 淡入淡出 크로스페이드 크로스디졸브 кроссфейд растворен
fade : einblenden ausblenden abblenden fondu desvanecer esmaecer dissolvere フェード 淡出 淡入 페이드 затухан
speed : tempo geschwindigkeit vitesse velocidad velocidade velocita 速度 速さ 再生速度 速度 변속 속도 배속 скорост
slow speed : zeitlupe verlangsamen langsamer ralenti ralentir camara_lenta ralentizar camara_lenta desacelerar camera_lenta rallentare rallentatore moviola スローモーション スロー 遅くする 慢动作 慢放 慢鏡頭 减速 슬로모션 느린 느리게 замедл
fast speed : zeitraffer beschleunigen accelerer accelere acelerar acelerado accelerare 早送り 倍速 加速 快进 縮時 빠르게 ускор
reverse : ruckwarts umkehren inverser a_l_envers invertir al_reves reverter inverso contrario rovescio 逆再生 リバース 倒放 反向 倒轉 역재생 거꾸로 реверс обратн
freeze hold still : standbild bild_einfrieren arret_sur_image image_figee congelar_fotograma congelar_cuadro congelar_quadro fermo_immagine フリーズフレーム 静止画 定格 静帧 冻结帧 定格畫面 정지화면 프레임고정 стоп_кадр стопкадр
still : standbild image_fixe imagen_fija imagem_estatica fermo 静止画 スチル 静帧 截帧 정지영상 스틸 стоп_кадр
lut : farbtabelle nachschlagetabelle ルックアップテーブル 查找表 查色表 룩업테이블
grade color : farbkorrektur farbgebung gradation etalonnage etalonner correction_colorimetrique correction_des_couleurs correccion_de_color gradacion correcao_de_cor correcao_de_cores gradacao correzione_colore correzione_del_colore color_correction グレーディング カラーグレーディング カラコレ 色補正 调色 校色 调色节点 調色 校色 색보정 컬러그레이딩 цветокор грейдинг
match : angleichen abstimmen anpassen assortir harmoniser correspondre igualar emparejar coincidir combinar corresponder igualar abbinare uniformare 合わせる マッチ 一致 匹配 配对 符合 맞추기 매칭 일치 согласов подогн подобр совмест
shot clip : einstellung aufnahme plan plans prise toma tomas plano planos tomada inquadratura ripresa ショット 镜头 鏡頭 샷 숏 кадр план шот
reference : referenzbild image_de_reference imagen_de_referencia imagem_de_referencia immagine_di_riferimento 参照画像 基準 参考图 參考 기준 эталон референс
white_balance temperature : weissabgleich balance_des_blancs balance_de_blancos balanco_de_branco bilanciamento_del_bianco ホワイトバランス 白平衡 화이트밸런스 баланс_бел
wheel : rad rader roue ruedas rueda rodas roda ruote ruota ホイール 色轮 輪 휠 колес
shadow midtone : tiefen mitteltone ombres tons_moyens medios_tonos sombras meios_tons mezzitoni ombre 中間調 中间调 阴影 중간톤 полутон
scope histogram : messinstrument oscilloscope osciloscopio oscilloscopio スコープ 示波器 스코프 осциллограф гистограмм
histogram : histogramm histogramme histograma istogramma ヒストグラム 直方图 直方圖 히스토그램 гистограм
greenscreen keying chroma : greenscreen grunschirm bluescreen freistellen keyen fond_vert ecran_vert incrustation cle_chroma pantalla_verde croma fondo_verde tela_verde chroma fundo_verde schermo_verde chiave_cromatica グリーンバック グリーンスクリーン クロマキー キーイング 绿幕 蓝幕 抠像 键控 抠图 綠幕 去背 크로마키 그린스크린 키잉 хромакей хрома_ключ зелен_экран зелен_фон кеинг
remove_background keying : hintergrund_entfernen detourer detourage quitar_fondo remover_fundo rimuovere_sfondo 背景除去 背景削除 去除背景 去背景 배경제거 누끼 удал_фон
roto mask : rotoskopie rotoscopie rotoscoper rotoscopia rotoscopiar ロトスコープ ロト 动态遮罩 描边遮罩 逐帧遮罩 로토스코핑 로토 ротоскоп
matte : matte cache masque mate máscara mate マット 遮罩 蒙版 매트 матт
stabilize : bildstabilisierung stabilisierung verwackelt stabilisation estabilizacion estabilizar estabilizacao stabilizzazione 手ぶれ 手ぶれ補正 スタビライザー 稳定 防抖 画面稳定 防手震 흔들림보정 안정화 손떨림 стабилиз
track tracking : nachverfolgung bewegungsverfolgung suivi suivi_de_mouvement seguimiento rastreo rastreamento tracciamento トラッキング モーショントラッキング 追踪 运动跟踪 跟踪 追蹤 추적 모션트래킹 трекинг отслежив
nest compound : verschachteln imbriquer anidar aninhar nidificare ネスト 嵌套 巢狀 중첩 네스트 вложен
precomp precompose : unterkomposition precomposer precomposition precomponer precomposicion pre_compor precomporre プリコンポ プリコンポーズ 预合成 預先合成 프리컴포즈 사전구성 прекомп
bin : medienordner ablage chutier bandeja contenedor compartimento lixeira contenitore raccoglitore ビン 素材箱 媒体箱 빈 корзин
media : medien medium media medias medios midia midias 媒体 メディア 素材 媒體 미디어 медиа
footage clip : filmaufnahme rohmaterial rush rushes metraje filmacion filmagem metragem girato filmato 映像素材 フッテージ 素材 影片素材 푸티지 영상소스 футаж исходник материал
offline missing relink : offline fehlende fehlt verloren hors_ligne manquant manquants sin_conexion faltante faltantes perdido ausente faltando mancante mancanti オフライン 見つからない 欠落 不足 离线 丢失 缺失 遺失 오프라인 누락 отсутств потерян недостающ
relink replace : neu_verknupfen relier revincular reenlazar revincular reconectar ricollegare 再リンク 重新链接 重新連結 다시연결 재연결 перепривяз
collect gather : sammeln zusammenstellen rassembler collecter assembler reunir recopilar recoger coletar reunir raccogliere 収集 集める まとめる 收集 打包 彙整 수집 모으기 собра собер сбор
archive : archivieren archiv archiver archivar arquivar archiviare アーカイブ 归档 存档 封存 보관 아카이브 архив
deliver export render : ausliefern livrer livraison entregar entrega consegnare consegna 納品 交付 输出 交付 납품 выдач
proxy : proxys stellvertreter mandataire proxies apoderado プロキシ 代理 代理文件 프록시 прокси
codec format : kodierung codec format formato フォーマット コーデック 编码 格式 編碼 코덱 포맷 кодек формат
encode transcode : kodieren umcodieren encoder encodage codificar transcodificar codificare transcodificare エンコード 変換 编码 转码 轉碼 인코딩 변환 кодир перекодир
vertical aspect : hochformat senkrecht vertikal portrait vertical verticale verticales 縦型 縦 竖屏 竖版 直式 垂直 세로 вертикальн
horizontal : querformat waagerecht horizontal horizontale orizzontale 横 水平 横版 横屏 가로 горизонт
reframe aspect : seitenverhaltnis bildausschnitt recadrage_automatique proporcion relacion_de_aspecto reencuadrar proporcao proporcao_da_tela reenquadrar proporzioni riquadrare リフレーム 縦横比 アスペクト比 重新构图 画面比例 长宽比 長寬比 리프레임 화면비율 종횡비 соотношен рефрейм
title credits : abspann vorspann titel generique titre creditos titulo titoli タイトル クレジット 标题 片头 片尾 標題 제목 타이틀 титр
watermark : wasserzeichen filigrane marca_de_agua marca_d_agua filigrana ウォーターマーク 透かし 水印 浮水印 워터마크 водян_знак
insert : einfugen inserer insertar inserir inserire 挿入 插入 삽입 вставк встав
overwrite : uberschreiben ecraser sobrescribir sobreescribir sobrescrever sovrascrivere 上書き 覆盖 覆蓋 덮어쓰기 перезапис
append end : anhangen ans_ende ajouter_a_la_fin anexar al_final acrescentar accodare 末尾に追加 末尾 追加到 末尾 附加 끝에추가 в_конец
slip : slip verrutschen glissement deslizar deslizar slittare スリップ 滑移 슬립 слип
handle : griff griffe anfasser poignee manija tirador alca maniglia ハンドル 手柄 控制柄 핸들 рукоят манипулятор
duration : lange dauer longueur duree duracion duracao durata 長さ 尺 時間 时长 長度 길이 재생시간 длительност
detect cut : erkennen erkennung szenenerkennung detecter detection detectar deteccion deteccao rilevare rilevamento 検出 シーン検出 检测 场景检测 侦测 偵測 감지 검출 обнаруж распозн
waveform : wellenform forme_d_onde forma_de_onda forma_d_onda 波形 파형 форм_волн
timecode : zeitcode code_temporel codigo_de_tiempo codigo_de_tempo タイムコード 时间码 時間碼 타임코드 таймкод
normalize : normalisieren pegel normaliser normalizar normalizzare ノーマライズ 正規化 标准化 归一化 規格化 정규화 нормализ
echo reverb : hall nachhall reverberation eco reverberacion reverb riverbero エコー リバーブ 混响 回声 殘響 잔향 에코 эхо ревербер
shape : formebene calque_de_forme capa_de_forma camada_de_forma livello_forma シェイプ シェイプレイヤー 形状图层 形狀圖層 모양레이어 фигур
adjustment : einstellungsebene calque_de_reglage calque_d_effets capa_de_ajuste camada_de_ajuste livello_di_regolazione 調整レイヤー 调整图层 調整圖層 조정레이어 корректирующ_сло
solid : farbflache aplat solide solido tinta_unita 平面 平面レイヤー 纯色 固态层 純色 솔리드 단색 сплошн
fill : inhaltsbasiert contenu contenido conteudo contenuto コンテンツに応じた 内容识别 內容感知 내용인식 содержим
social : soziale reseaux_sociaux redes_sociales redes_sociais social ソーシャル 社交 소셜 соцсет
gallery still : galerie galeria galleria ギャラリー 画廊 图库 갤러리 галере
power_window window : fenstermaske fenetre_de_masque ventana_de_poder janela finestra パワーウィンドウ 遮罩窗口 窗口 파워윈도우 окно
page : arbeitsbereich onglet pestana aba scheda タブ 标签页 탭 вкладк
composition : komposition kompositionen composition composicion composicao composizione コンポ コンポジション 合成 构图 컴포지션 комп
`;
