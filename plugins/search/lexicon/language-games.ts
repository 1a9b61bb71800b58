/** What users of other languages call game engines, code, files and everyday words; see `verbRows` for the form. */
export const gameRows = `
player : spieler joueur jugador jogador giocatore プレイヤー 玩家 플레이어 игрок
enemy : feind gegner ennemi enemigo inimigo nemico 敵 敌人 敵人 적 враг
game : spiel spiele jeux jeu juego jogo gioco ゲーム 游戏 遊戲 게임 игр
play run : spielmodus abspielen mode_lecture modo_juego modo_reproduccion modo_de_jogo modalita_gioco 再生モード プレイモード 播放模式 运行模式 플레이모드 режим_игр
navigation navmesh : navigationsnetz navigation maillage_de_navigation malla_de_navegacion navegacion malha_de_navegacao navegacao navigazione mesh_di_navigazione ナビメッシュ ナビゲーションメッシュ ナビゲーション 导航网格 寻路 导航 導航網格 尋路 내비메시 네비메시 내비게이션 навигац навмеш
component : komponente composant componente コンポーネント 组件 元件 컴포넌트 компонент
prefab : vorfabriziert prefabrique prefabricado pre_fabricado prefabbricato プレハブ プレファブ 预制体 预制件 預製件 프리팹 префаб
instantiate spawn instance : instanzieren instanciar instancier istanziare インスタンス化 生成 实例化 生成 實例化 인스턴스화 생성 배치 заспавн создан экземпляр
entity gameobject : spielobjekt objet_de_jeu objeto_de_juego objeto_de_jogo oggetto_di_gioco ゲームオブジェクト 游戏对象 游戏物体 遊戲物件 게임오브젝트 игров_объект
signal event : signal signale ereignis evenement senal evento sinal segnale シグナル イベント 信号 事件 訊號 시그널 신호 이벤트 сигнал событ
input action : eingabe eingaben entree entrees saisie entrada entradas ingresso 入力 インプット 输入 輸入 입력 ввод
keyboard mouse : tastatur maus clavier souris teclado raton mouse tastiera キーボード マウス 键盘 鼠标 鍵盤 키보드 마우스 клавиатур мыш
action : aktion aktionen actions accion acciones acao acoes azione azioni アクション 操作 动作 動作 액션 동작 действ
tilemap tile : kachelkarte carte_de_tuiles mapa_de_mosaicos mapa_de_tiles mapa_de_blocos タイルマップ 瓦片地图 图块地图 瓦片 타일맵 тайлов тайлмап
sprite : sprite sprites lutin スプライト 精灵 精靈 스프라이트 спрайт
sheet atlas : spritesheet planche atlas hoja_de_sprites folha_de_sprites foglio シート アトラス 图集 精灵图 圖集 시트 아틀라스 атлас лист
tree hierarchy : szenenbaum baumstruktur arbre arborescence hierarchie arbol arbol_de_escena jerarquia arvore arvore_de_cena arvore_da_cena albero albero_della_scena ツリー シーンツリー 階層 场景树 树 层级 場景樹 트리 씬트리 дерев иерарх
root : wurzel racine raiz radice ルート 根 根节点 루트 корен корн
child : kindobjekt kindknoten enfant enfants hijo hijos filho filhos figlio figli 子 子ノード 子节点 子级 子物件 자식 дочерн
singleton global autoload : globale singleton globaux globales globais globali グローバル シングルトン 全局 单例 全域 전역 싱글톤 глобальн
script code : skripte scripts guiones スクリプト 脚本 腳本 스크립트 скрипт
function method : funktion methode fonction methode funcion metodo funcao metodo funzione metodo 関数 メソッド 函数 方法 函式 함수 메서드 функц метод
variable : variablen variables variaveis variabili 変数 变量 變數 변수 переменн
collider collision : kollider kollisionskorper kollisionsform collisionneur collision forme_de_collision colisionador colision forma_de_colision colisor colisao collisore collisione コライダー コリジョン 当たり判定 衝突判定 碰撞体 碰撞器 碰撞 碰撞體 콜라이더 충돌체 충돌 коллайдер столкновен
trigger : ausloser declencheur disparador gatilho innesco トリガー 触发器 觸發 트리거 триггер
physics : physikalisch physique fisica 物理演算 物理 物理系統 물리 물리엔진 физик
terrain : gelande terrain terreno relieve relevo 地形 地貌 지형 ландшафт местност рельеф
heightmap height : hohenkarte carte_de_hauteur mapa_de_altura mapa_de_alturas mappa_di_altezza ハイトマップ 高度图 高度圖 하이트맵 карт_высот
grass foliage : gras wiese herbe hierba cesped grama erba 草 草地 植被 잔디 풀 трав
tree foliage : baume arbres arboles arvores alberi 樹木 木々 树木 樹木 나무들 деревь
forest scatter : wald foret bosque floresta foresta 森 森林 숲 лес
building house : gebaude haus batiment maison edificio casa predio edificio 建物 家 建筑 房子 建築 건물 집 здан дом
lod : detailstufe detailstufen niveau_de_detail nivel_de_detalle nivel_de_detalhe livello_di_dettaglio 詳細度 细节层次 细节级别 細節層次 디테일레벨 уровень_детализац детализац
performance profiler : leistung performance performances rendimiento desempenho prestazioni パフォーマンス 性能 效能 성능 프로파일 производительн
profiler : profilierung profileur perfilador profilatore プロファイラ プロファイラー 性能分析 分析器 프로파일러 профилир профайлер
console log : konsolenausgabe sortie_console salida_de_consola saida_do_console コンソール出力 控制台输出 主控台 콘솔 вывод_консол
warning : warnung warnungen avertissement avertissements advertencia aviso avvertimento avvisi 警告 경고 предупрежд
debug : fehlersuche debuggen debogage deboguer depuracion depurar depuracao debug デバッグ 调试 除錯 偵錯 디버그 отлад
error : fehlermeldung messages_d_erreur mensaje_de_error mensagem_de_erro messaggio_di_errore エラーメッセージ 报错 错误信息 錯誤訊息 에러메시지 ошибк
build package cook : spiel_bauen erstellen packen empaqueter compilation empaquetar compilar empacotar compilacao pacchettizzare compilazione ビルド パッケージ化 打包 构建 发布 封裝 打包遊戲 빌드 패키징 собр сборк
platform target : plattform plateforme plataforma piattaforma プラットフォーム 平台 플랫폼 платформ
package : paket pakete paquet paquets paquete paquetes pacote pacotes pacchetto pacchetti パッケージ 包 软件包 套件 패키지 пакет
dependency reference : abhangigkeit abhangigkeiten dependance dependances dependencia dependencias dipendenza dipendenze 依存関係 依存 依赖 依赖关系 相依 의존성 зависимост
test : tests pruefen essai essais prueba pruebas teste testes prova テスト 测试 測試 테스트 тест
asset : inhalte ressource ressources contenido recursos conteudo risorse contenuti アセット 资产 资源 資產 에셋 ассет
texture compress : komprimieren kompression compresser compression comprimir compresion compressao comprimere compressione 圧縮 压缩 壓縮 압축 сжат сжатие компресс
source checkout : auschecken einchecken versionskontrolle versionsverwaltung controle_de_version gestion_de_versions control_de_versiones controle_de_versao controllo_versione バージョン管理 チェックアウト 版本控制 签出 版本管理 버전관리 체크아웃 систем_контрол верс
submit commit : einreichen ubermitteln valider soumettre enviar_cambios enviar submeter inviare コミット サブミット 提交 签入 커밋 서브밋 제출 коммит отправ
widget ui interface : oberflache benutzeroberflache interface_utilisateur interfaz interfaz_de_usuario interface_do_usuario interfaccia interfaccia_utente インターフェース ウィジェット 界面 控件 用户界面 介面 인터페이스 위젯 интерфейс виджет
translate localization language : ubersetzen ubersetzung lokalisierung sprachen traduire traduction localisation langue langues traducir traduccion localizacion idioma idiomas traduzir traducao localizacao tradurre traduzione localizzazione lingua lingue 翻訳 ローカライズ 言語 多言語 翻译 本地化 语言 多语言 翻譯 在地化 語言 번역 현지화 언어 로컬라이즈 перевод перевест локализ язык
sound bus : tonausgabe audiokanal bus_audio bus_de_audio バス 音频总线 오디오버스 шин
level : spielebene niveau niveaux nivel niveles fase niveis livello livelli レベル ステージ 关卡 關卡 레벨 스테이지 уровень уровн
first : erste erster premier primero primeira primeiro primo 最初 第一 첫번째 перв
last : letzte letzter dernier ultimo ultima 最後 最后 마지막 последн
next : nachste nachster suivant siguiente proximo seguente successivo 次の 下一个 下一個 다음 следующ
previous : vorherige vorheriger precedent anterior precedente 前の 上一个 上一個 이전 предыдущ
random : zufallig zufall aleatoire hasard aleatorio aleatoria casuale ランダム 無作為 随机 隨機 무작위 랜덤 случайн рандом
empty : leer leere leeren vide vides vacio vacia vazio vazia vuoto vuota 空の 空白 空的 空 빈 пуст
unused : unbenutzt unbenutzte ungenutzt ungenutzte inutilise inutilises inutilisees sin_usar no_utilizado no_utilizados sem_uso nao_utilizado nao_utilizados inutilizado inutilizzato inutilizzati non_utilizzati 未使用 使っていない 未使用的 没用的 사용하지_않는 미사용 неиспольз
missing : fehlend fehlende manquant manquants faltante faltantes ausente mancante 足りない 欠けている 缺少 丢失 遺失 누락된 없는 отсутств пропа
selected : ausgewahlt ausgewahlte markiert selectionne selectionnes seleccionado seleccionados selecionado selecionados selezionato selezionati 選択した 選択された 选中的 所选 選取的 선택한 선택된 выбранн выделенн
visible visibility : sichtbar sichtbarkeit visibilite visibilidad visibilidade visibilita 可見性 可视 可见 可见性 可見 보이는 가시성 видим
number count : nummer anzahl numero nombre quantidade cantidad 番号 个数 编号 數量 개수 번호 номер числ
two : zwei deux dos dois duas due 二つ 两个 兩個 두개 두 двум двух
value : werte valeurs valores valori 値 数值 數值 값 значен
change : wechseln umschalten changer basculer cambiar conmutar trocar alternar cambiare commutare 切り替え 切り替える 切换 切換 전환 переключ смен
switch toggle : umschalten wechseln basculer commuter alternar conmutar alternar commutare alternare 切り替え 切替 切换 切換 전환 토글 переключ
divide subdivide : teilen diviser dividir dividere 分ける 划分 나누기 раздели
close near : nahe nahen nah naheliegende proche proches cercano cercanos proximo proximos vicino vicini 近い 近接 邻近 附近 相近 가까운 인접 близк соседн
distance : entfernung abstand distances distancias 距離 间距 距离 거리 дистанц расстоян
folder : ordnern dossiers carpetas pastas cartelle フォルダ 文件夹 資料夾 폴더 папк
backup : sicherung sicherungskopie sauvegarde copia_de_seguridad copia_de_seguranca backup バックアップ 备份 備份 백업 резервн бэкап
history : verlauf historique historial historico cronologia 履歴 历史记录 歷史記錄 기록 истор
notes annotate : notiz notizen anmerkung note annoter nota notas anotar anotacao nota annotare 注記 メモ 标注 备注 備註 메모 주석 заметк аннотац
register : registrieren enregistrer registrar registrare 登録 注册 註冊 등록 регистр
progress status : fortschritt progression progreso avance progresso avanzamento 進捗 進行状況 进度 狀態 진행 진행상황 прогресс ход
cloud : wolke nuage nube nuvem nuvola クラウド 云 雲 클라우드 구름 облак
network : netz netzwerk reseau rede rete ネットワーク 网络 網路 네트워크 сет
arrange tidy : anordnen aufraumen ordnen organiser ordenar organizar arrumar organizar ordinare organizzare riordinare 整理 並べる 片付ける 整理 排列 整齊 정리 정돈 배열 упоряд расстав прибр
`;
