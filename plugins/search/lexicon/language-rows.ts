/**
 * What users of other languages call the verbs of the field: English words, then German, French, Spanish, Portuguese,
 * Italian, Japanese, Chinese, Korean and Russian ones. Russian entries are beginnings of words; endings of the others
 * that change with grammar are taken off when they are compared.
 */
export const verbRows = `
export : exportieren ausgeben exporter exportation exportar exportacion exportacao esportare esportazione エクスポート 書き出し 書き出す 出力 导出 導出 匯出 输出 輸出 내보내기 내보내 익스포트 출력 экспорт выгруз вывест
import : importieren einlesen einfugen importer importation importar importare インポート 読み込み 読み込む 取り込み 导入 導入 匯入 가져오기 가져와 불러오기 임포트 импорт загруз
save : speichern sichern abspeichern enregistrer sauvegarder sauver sauvegarde guardar grabar salvar gravar salvare salva 保存 セーブ 储存 儲存 存档 저장 сохран запис
open : offnen ouvrir ouvre abrir abre aprire apri 開く 開い 開ける オープン 打开 打開 開啟 열기 열어 открыт откро
load : laden charger cargar carregar caricare carica ロード 加载 載入 加載 载入 로드 загруз
close : schliessen fermer cerrar fechar chiudere 閉じる 关闭 關閉 닫기 закры
delete remove : loschen entfernen loesche supprimer effacer enlever retirer borrar eliminar quitar suprimir apagar excluir remover deletar eliminare cancellare rimuovere togliere 削除 消す 消去 取り除く 删除 刪除 移除 去掉 清除 삭제 지우기 지워 제거 удал стер убра
create : erstellen erzeugen anlegen creer cree creation crear criar creare crea 作成 作る 作って 生成 创建 建立 新建 創建 생성 만들기 만들 созда
add insert : hinzufugen einfugen ajouter rajouter inserer anadir agregar insertar adicionar inserir acrescentar aggiungere inserire 追加 挿入 足す 添加 新增 加入 插入 추가 삽입 넣기 добав встав
new : neu neue neues neuen nouveau nouvelle nuevo nueva novo nova nuovo nuova 新規 新しい 新的 새로 새로운 새 нов
render : rendern rendering rendre rendu calculer renderizar renderizado renderizacao renderizzare renderizzazione レンダリング レンダー 渲染 算圖 彩現 렌더링 렌더 рендер визуализ
bake : backen einbacken precalculer precalcul cuire hornear precalcular assar cuocere precalcolare ベイク ベーク 焼き込み 烘焙 烘培 베이크 굽기 запек запеч
undo : ruckgangig zurucknehmen annuler annulation defaire deshacer desfazer annullare 元に戻す アンドゥ 取り消し 取り消す 撤销 撤銷 復原 还原 실행취소 되돌리기 취소 отмен
redo : wiederholen wiederherstellen retablir refaire rehacer refazer ripetere ripristinare やり直し やり直す リドゥ 重做 다시실행 повтор верну
copy duplicate : kopieren duplizieren vervielfaltigen copier dupliquer copie copiar duplicar copiare duplicare コピー 複製 複写 复制 拷贝 複本 복사 복제 копир дублир скопир
paste : einsetzen coller pegar colar incollare 貼り付け ペースト 粘贴 貼上 붙여넣기 встав
cut : schneiden ausschneiden couper decouper cortar recortar tagliare ritagliare カット 切り取り 切る 剪切 切割 裁切 자르기 잘라 выреза обреза разреза
move translate : смест verschieben bewegen deplacer bouger mover desplazar deslocar spostare muovere 移動 動かす 移动 位移 이동 옮기 перемещ перемест двига сдвин
rotate : drehen rotieren tourner pivoter rotation girar rotar rotacionar ruotare 回転 回す 旋转 旋轉 회전 돌리 поворо вращ поверн
scale resize : skalieren vergrossern verkleinern groesse grosse redimensionner agrandir reduire echelle escalar redimensionar escala scalare ridimensionare スケール 拡大 縮小 拡大縮小 リサイズ 缩放 縮放 调整大小 调整尺寸 大小 크기 스케일 масштаб увелич уменьш размер
transform : transformieren transformer transformation transformar trasformare 変形 変換 トランスフォーム 变换 變換 변형 변환 трансформ преобраз
rename : umbenennen renommer renombrar renomear rinominare リネーム 名前変更 名前を変更 改名 重命名 重新命名 이름변경 이름바꾸기 переимен
select : auswahlen markieren selektieren auswahl selectionner selection seleccionar seleccion selecionar selecao selezionare selezione 選択 選ぶ 选择 選擇 选中 選取 선택 выбра выбер выдел
find search : suchen finden chercher trouver rechercher recherche buscar encontrar procurar cercare trovare 検索 探す 見つける 搜索 查找 搜尋 寻找 찾기 찾아 검색 найти найд поиск искать
list : auflisten anzeigen liste lister listar lista elencare elenco 一覧 リスト 列出 列表 清单 목록 나열 리스트 список перечисл
show display : zeigen anzeigen einblenden afficher montrer mostrar exibir mostrare visualizzare 表示 見せる 显示 顯示 展示 표시 보여 보이기 показ отобраз
hide : verstecken ausblenden verbergen cacher masquer ocultar esconder nascondere 非表示 隠す 隐藏 隱藏 숨기기 숨겨 скры спрят
set : setzen festlegen einstellen definir mettre regler establecer ajustar poner definir configurar impostare 設定 セット 设置 設置 设定 설정 установ зада настро
change edit modify : andern bearbeiten verandern modifier changer editer cambiar modificar editar alterar mudar modificare cambiare 変更 編集 修正 修改 编辑 編輯 更改 改变 变更 변경 편집 수정 바꾸 измен редактир правк поменя
replace : ersetzen austauschen remplacer reemplazar substituir sostituire 置換 置き換え 差し替え 替换 替換 取代 교체 바꾸기 замен
assign apply : zuweisen anwenden assigner attribuer appliquer affecter asignar aplicar atribuir assegnare applicare 割り当て 適用 指定 分配 应用 應用 套用 赋予 指派 할당 적용 지정 назнач примен присво
connect : verbinden connecter relier conectar ligar collegare connettere 接続 つなぐ 连接 連接 연결 соедин подключ связа
disconnect : trennen deconnecter desconectar scollegare 切断 断开 斷開 해제 отсоед отключ
group : gruppieren gruppe grouper groupe agrupar grupo raggruppare gruppo グループ グループ化 分组 群組 编组 成组 그룹 группир групп
ungroup : aufheben degrouper desagrupar ungruppieren グループ解除 解组 取消群組 그룹해제 разгруппир
parent : ubergeordnet eltern parenter parent emparentar parentear imparentare 親 ペアレント 父级 父子 부모 페어런트 родител
merge combine join : zusammenfuhren verschmelzen kombinieren vereinen fusionner combiner joindre fusionar combinar unir juntar mesclar unire combinare fondere 結合 マージ 統合 合成 合并 合併 结合 병합 합치기 결합 объедин слия слит
separate split : trennen aufteilen teilen separer diviser separar dividir separare dividere 分離 分割 分离 分離 拆分 분리 나누기 раздел отдел
extrude : extrudieren extruder extrusion extruir extrudar extrusao estrudere estrusione 押し出し 挤出 擠出 挤压 돌출 выдав экструд
bevel chamfer : abschragen abfasen fase abrunden chanfreiner biseauter biseau chanfrein biselar bisel chanfrar chanfro smussare smusso ベベル 面取り 倒角 斜角 베벨 모따기 фаск скос
subdivide : unterteilen subdiviser subdividir suddividere 細分化 サブディバイド 分割 细分 細分 세분화 분할 подраздел
smooth : glatten weichzeichnen lisser adoucir suavizar alisar lisciare smussare スムーズ 滑らか 平滑 光滑 부드럽게 스무스 сглад сглаж
mirror flip : spiegeln symmetrie miroir refleter retourner espejo reflejar voltear espelhar espelho specchiare specchio capovolgere ミラー 反転 鏡像 左右反転 镜像 鏡像 翻转 对称 미러 대칭 반전 뒤집 зеркал отраз отзеркал
reduce decimate : reduzieren vereinfachen verringern reduire simplifier decimer reducir simplificar diezmar reduzir ridurre semplificare 削減 減らす 軽量化 リダクション 简化 減面 减面 减少 精简 줄이기 감소 단순화 упрост сократ уменьш
animate : animieren animer animar animare アニメート 动画化 애니메이트 анимир
simulate : simulieren simuler simular simulare シミュレート シミュレーション 模拟 模擬 仿真 시뮬레이션 симул
sculpt : modellieren formen sculpter esculpir scolpire スカルプト 雕刻 스컬프트 조각 лепк скульпт
paint draw : malen zeichnen peindre dessiner pintar dibujar desenhar dipingere disegnare ペイント 描く 塗る 描画 绘制 繪製 绘画 涂 画 그리기 페인트 칠하 рисова краси покрас
unwrap : abwickeln auffalten deplier desplegar desdobrar desembrulhar desenvolver 展開 展开 拆UV 펼치기 언랩 развер
project : projizieren projeter proyectar projetar proiettare 投影 プロジェクション 투영 проекц
snap align : ausrichten einrasten aligner alinear alinhar allineare 整列 揃える スナップ 对齐 對齊 吸附 정렬 스냅 выровн выравн привяз
run execute : ausfuhren starten executer lancer ejecutar executar rodar eseguire lanciare 実行 走らせる 执行 執行 运行 運行 실행 выполн запуст запуск
start play : starten abspielen jouer lire demarrer reproducir iniciar reproduzir riprodurre avviare 再生 開始 播放 开始 启动 재생 시작 воспроизв игра нача
stop : stoppen anhalten arreter detener parar fermare 停止 止める 정지 중지 останов
cancel : abbrechen annuler cancelar annullare キャンセル 中止 取消 취소 отмен
install : installieren installer instalar installare インストール 安装 安裝 설치 устан
enable activate : aktivieren einschalten activer habilitar activar ativar attivare abilitare 有効 有効化 启用 啟用 激活 开启 활성화 켜기 включ актив
disable : deaktivieren ausschalten desactiver deshabilitar desactivar desativar disattivare 無効 無効化 禁用 停用 비활성화 끄기 выключ отключ
lock : sperren verrouiller bloquear bloccare ロック 锁定 鎖定 잠금 잠그 блокир заблок
freeze : einfrieren geler congelar congelare フリーズ 冻结 凍結 고정 заморо
convert : konvertieren umwandeln convertir converter convertire 変換 コンバート 转换 轉換 转为 변환 конверт преобраз
check validate : prufen uberprufen pruefen validieren verifier controler valider comprobar verificar validar verificare controllare チェック 確認 検証 检查 檢查 验证 校验 확인 검사 검증 провер валид
clean : bereinigen aufraumen saubern nettoyer limpiar limpar pulire クリーンアップ 整理 掃除 清理 清除 정리 청소 очист почист
fix repair : reparieren beheben reparer corriger reparar corregir corrigir riparare correggere 修復 直す 修理 修复 修正 수리 복구 고치 исправ почин
optimize : optimieren optimiser optimizar otimizar ottimizzare 最適化 优化 優化 최적화 оптимиз
measure : messen mesurer medir misurare 計測 測る 测量 測量 측정 измер
crop trim : zuschneiden recadrer rogner recortar cortar ritagliare 切り抜き 切り取る クロップ トリミング 裁剪 裁切 크롭 잘라내기 кадрир обрез
blur : weichzeichnen unscharfe verwischen flouter flou desenfocar desenfoque desfocar borrar sfocare sfocatura ぼかし ぼかす ブラー 模糊 흐림 블러 흐리게 размы
sharpen : scharfen nitteté nettete enfocar afiar aguzar nitidez nitidezza シャープ 锐化 銳化 선명 резкост
invert : 反选 反選 invertieren umkehren inverser invertir inverter invertire 反転 反相 反转 반전 инверт
mask : maske maskieren masque masquer mascara maschera マスク 蒙版 遮罩 마스크 маск
track : verfolgen suivre suivi rastrear seguimiento rastreamento tracciare トラッキング 追跡 跟踪 追踪 추적 트래킹 трекинг отслеж
stabilize : stabilisieren stabiliser estabilizar stabilizzare スタビライズ 手ぶれ補正 稳定 穩定 안정화 стабилиз
trim : kurzen trimmen rogner tronquer recortar aparar tagliare accorciare トリム 修剪 트림 подреза
fill : fullen remplir rellenar preencher riempire 塗りつぶし 埋める 填充 채우기 заполн залив
scatter distribute : verteilen streuen disperser repartir distribuer dispersar distribuir espalhar distribuire spargere 散布 ばらまく 配置 散布 分布 撒 흩뿌리기 분산 배치 распредел рассе разброс
place spawn : platzieren placer colocar posicionar collocare posizionare 配置 置く 放置 摆放 생성 배치 놓 размест постав
fracture break : zerbrechen fragmentieren fracturer briser romper fracturar quebrar frantumare rompere 破壊 割る 破碎 打碎 破裂 파괴 부수 разруш разбит разлом
compile build : kompilieren bauen compiler construire compilar construir compilare ビルド コンパイル 编译 編譯 构建 建置 빌드 컴파일 сборк собра компил
publish : veroffentlichen publier publicar pubblicare 公開 パブリッシュ 发布 發布 게시 퍼블리시 опублик публик
submit send : senden abschicken envoyer soumettre enviar mandar inviare 送信 送る 提出 提交 发送 發送 제출 보내기 отправ
capture screenshot : aufnehmen bildschirmfoto bildschirmaufnahme capturer capture capturar captura catturare cattura schermata キャプチャ スクリーンショット 撮影 截图 截圖 截屏 抓图 捕获 캡처 스크린샷 скриншот снимок захват
reference : referenzieren referenz referencer referencia referenciar riferimento リファレンス 参照 引用 参考 레퍼런스 참조 ссылк референс
refresh reload : aktualisieren neuladen actualiser recharger actualizar recargar atualizar recarregar aggiornare ricaricare 更新 リロード 再読み込み 刷新 重新加载 更新 새로고침 갱신 обнов перезагруз
retarget transfer : ubertragen transferer transferir trasferire 転送 リターゲット 转移 傳遞 重定向 전송 리타겟 перенес перенос
compare : vergleichen comparer comparar confrontare 比較 比较 对比 비교 сравн
calculate : berechnen calculer calcular calcolare 計算 计算 계산 вычисл рассчит
write : schreiben ecrire escribir escrever scrivere 書く 書き込み 写入 寫入 쓰기 запис написа
read get : lesen abrufen lire obtenir leer obtener ler obter leggere ottenere 読む 取得 读取 讀取 获取 取得 읽기 얻기 가져 получ прочит
inspect info : informationen infos untersuchen informations inspecter informacion inspeccionar informacao informazioni ispezionare 情報 調べる 信息 資訊 查看 检视 정보 조회 информ сведен
link : verknupfen lier enlazar vincular collegare リンク 链接 連結 链路 링크 связ
attach : anhangen befestigen attacher adjuntar anexar allegare アタッチ 附加 附着 부착 прикреп
denoise : entrauschen debruiter eliminar_ruido ノイズ除去 デノイズ 降噪 去噪 노이즈제거 шумоподав
composite blend : zusammensetzen compositing composer composer mezclar componer misturar compor comporre fondere コンポジット 合成 ブレンド 混合 합성 혼합 композ смеш
zoom frame : zoomen zoomer acercar ampliar ズーム 缩放视图 확대 приблиз
sort : sortieren ordnen trier ordenar ordinare 並べ替え ソート 排序 정렬 сортир
count : zahlen anzahl compter nombre contar numero conteggio contare 数える 数 カウント 数量 计数 统计 개수 세기 подсч колич
adjust : anpassen einstellen ajuster ajustar regolare 調整 调整 調節 조정 настро подправ
grade color : farbkorrektur etalonnage correccion_de_color correcao_de_cor correzione_colore カラーコレクション 色調補正 调色 校色 調色 색보정 цветокоррекц
retarget bind : binden lier vincular legare バインド 绑定 바인딩 привяз
deform : verformen deformer deformar deformare 変形 変形させる 变形 變形 변형 деформ
triangulate : triangulieren trianguler triangular triangolare 三角形化 三角化 삼각형화 триангул
isolate : isolieren isoler aislar isolar isolare 分離表示 孤立 隔离 격리 изолир
animate key : keyframen poser_une_cle
scatter instance : instanziieren instancier instanciar istanziare インスタンス化 实例化 인스턴스화 инстанс
upload share : hochladen teilen telecharger partager subir compartir compartilhar caricare condividere アップロード 共有 上传 分享 共享 업로드 공유 загрузи поделит
download : herunterladen telecharger descargar baixar scaricare ダウンロード 下载 下載 다운로드 скача
test : testen tester probar testar provare テスト 测试 測試 테스트 тест
log console : protokoll konsole journal console registro consola ログ コンソール 日志 控制台 日誌 로그 콘솔 журнал консол лог
increase : erhohen augmenter aumentar aumentare 増やす 上げる 增加 提高 늘리기 높이기 увелич повыс
decrease reduce : verringern senken diminuer disminuir diminuir diminuire 減らす 下げる 减小 降低 낮추기 уменьш пониз
`;
