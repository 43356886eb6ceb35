/** The words of buttons in many languages. `*` stands for any ending; scripts without spaces are searched anywhere. */
export interface Words {
  words: string;
  anywhere?: string;
}

export const PAY: Words = {
  words: `pay*, buy*, purchas*, checkout, check out, place * order, place order, order now, order and pay, complete order,
    subscribe, donat*, book now, top up, zahl*, bezahl*, kauf*, jetzt kaufen, bestell*, zahlungspflichtig*, kostenpflichtig*,
    buchen, abonnieren, spenden, kasse, payer, paye*, paiement, achet*, acheter, command*, regler, abonner, reserver et payer,
    pagar, pago, paga*, compr*, pedido, realizar pedido, tramitar pedido, finalizar compra, finalizar pedido, suscrib*, donar,
    acquist*, ordina, abbonati, cassa, encomendar, assinar, betal*, koop*, kopen, afrekenen, bestelling*, kop, kjop*, kob*,
    bestil*, bestall*, maksa*, osta, tilaa, zaplac*, plac*, kup*, zamow*, zamawiam*, zaplat*, koupit, objedn*, kupit, fizet*,
    vasarl*, megrendel*, cumpar*, plateste, plati, comanda*, odeme*, ode, satin al*, siparis*, πληρω*, αγορα*, παραγγελ*, оплат*,
    заплат*, купит*, заказат*, оформить заказ, придбат*, сплатит*, замовит*, плащан*, купи, поръчай, thanh toan, mua, mua ngay,
    bayar*, beli, pesan, שלם, לתשלום, קנה, רכוש, ادفع, الدفع, شراء, اشتر, भुगतान*, खरीदें`,
  anywhere:
    '支付 付款 购买 購買 下单 下單 结账 結帳 立即买 订购 支払 購入 注文 決済 결제 구매 주문 지불 ชำระเงิน ซื้อ สั่งซื้อ',
};

export const DELETE: Words = {
  words: `delet*, remov*, eras*, discard*, trash, destroy*, deactivat*, wipe*, purge*, revoke*, close account, cancel subscription,
    cancel order, cancel membership, empty trash, empty bin, empty cart, losch*, loesch*, entfern*, verwerf*, kundig*, stornier*,
    papierkorb, supprim*, effac*, retir*, resili*, corbeille, elimin*, borr*, suprim*, quitar, descart*, darse de baja, papelera,
    cancell*, rimuov*, svuota, exclu*, apag*, remover, verwijder*, wis*, wissen, opzeggen, slett*, fjern*, radera*, ta bort, slet,
    poista*, usun*, skasuj*, odstran*, smaz*, vymaz*, torol*, torles*, eltavol*, sterge*, elimina, sil, silin*, kaldir*, διαγραφ*,
    αφαιρε*, удал*, стереть, очистить, видал*, изтри*, премахни, xoa, hapus, buang, מחק, הסר, حذف, إزالة, امسح, हटाएं, मिटाएं`,
  anywhere: '删除 刪除 移除 清空 注销账户 削除 消去 取り消し 解約 삭제 제거 해지 ลบ',
};

export const SUBMIT: Words = {
  words: `submit*, send, post, publish*, confirm*, save, register, sign up, sign in, log in, login, apply, reply, share, transfer,
    absenden, senden, abschick*, einreichen, veroffentlich*, bestatig*, speichern, anmelden, registrieren, bewerben, uberweis*,
    envoy*, soumett*, valider, publier, confirmer, enregistrer, connexion, inscri*, partager, enviar, publicar, confirmar, guardar,
    iniciar sesion, registrarse, compartir, invia*, pubblica*, conferma*, salva*, accedi, registrati, salvar, entrar, cadastrar,
    verzenden, versturen, indienen, bevestig*, opslaan, inloggen, aanmelden, send inn, skicka*, bekrafta*, spara, logga in, lagre,
    gem, indsend*, laheta*, vahvista*, tallenna, wysl*, wyslij, potwierdz*, zapisz, zaloguj*, odesl*, potvrd*, ulozit, prihlasit,
    kuldes*, mentes, trimite*, salveaza, gonder*, onayla*, kaydet, giris yap, υποβολ*, αποστολ*, отправ*, подтверд*, сохран*,
    опублик*, войти, надісл*, підтверд*, зберег*, изпрати, запази, gui, luu, xac nhan, kirim, simpan, שלח, אישור, שמור, ارسال,
    إرسال, تأكيد, حفظ, भेजें, सहेजें`,
  anywhere:
    '提交 发送 發送 发布 發布 确认 確認 保存 登录 登入 注册 送信 投稿 公開 登録 ログイン 제출 보내기 게시 확인 저장 로그인 ส่ง ยืนยัน บันทึก',
};

export const DOWNLOAD: Words = {
  words: `download*, export*, herunterlad*, telecharg*, descarg*, scaric*, baix*, transferir ficheiro, ladda ner, last ned, hent,
    lataa, pobierz*, stahn*, stiahn*, letolt*, descarc*, indir*, ληψη, κατεβ*, скач*, загрузить файл, завантаж*, изтегли, tai xuong,
    tai ve, unduh*, הורד*, تنزيل, تحميل, डाउनलोड`,
  anywhere: '下载 下載 导出 ダウンロード エクスポート 다운로드 내보내기 ดาวน์โหลด',
};
