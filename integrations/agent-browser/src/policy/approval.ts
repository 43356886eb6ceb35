/** Button words in many languages. `*` stands for any suffix; scripts without spaces are searched anywhere. */
interface Words {
  words: string;
  anywhere?: string;
}

const PAY: Words = {
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

const DELETE: Words = {
  words: `delet*, remov*, eras*, discard*, trash, destroy*, deactivat*, wipe*, purge*, revoke*, close account, cancel subscription,
    cancel order, cancel membership, empty trash, empty bin, empty cart, losch*, loesch*, entfern*, verwerf*, kundig*, stornier*,
    papierkorb, supprim*, effac*, retir*, resili*, corbeille, elimin*, borr*, suprim*, quitar, descart*, darse de baja, papelera,
    cancell*, rimuov*, svuota, exclu*, apag*, remover, verwijder*, wis*, wissen, opzeggen, slett*, fjern*, radera*, ta bort, slet,
    poista*, usun*, skasuj*, odstran*, smaz*, vymaz*, torol*, torles*, eltavol*, sterge*, elimina, sil, silin*, kaldir*, διαγραφ*,
    αφαιρε*, удал*, стереть, очистить, видал*, изтри*, премахни, xoa, hapus, buang, מחק, הסר, حذف, إزالة, امسح, हटाएं, मिटाएं`,
  anywhere: '删除 刪除 移除 清空 注销账户 削除 消去 取り消し 解約 삭제 제거 해지 ลบ',
};

const SUBMIT: Words = {
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

const DOWNLOAD: Words = {
  words: `download*, export*, herunterlad*, telecharg*, descarg*, scaric*, baix*, transferir ficheiro, ladda ner, last ned, hent,
    lataa, pobierz*, stahn*, stiahn*, letolt*, descarc*, indir*, ληψη, κατεβ*, скач*, загрузить файл, завантаж*, изтегли, tai xuong,
    tai ve, unduh*, הורד*, تنزيل, تحميل, डाउनलोड`,
  anywhere: '下载 下載 导出 ダウンロード エクスポート 다운로드 내보내기 ดาวน์โหลด',
};

export const ACTION_CLASSES = ['submit', 'pay', 'delete', 'upload', 'download', 'evaluate'] as const;

/** A class of action. `submit`: sends a form or saves. */
export type ActionClass = (typeof ACTION_CLASSES)[number];

/** The kind of value that a call enters. */
export type ValueKind = 'text' | 'secret' | 'checked' | 'options' | 'keys' | 'files' | 'expression';

/** An element of the page, as the agent read it. */
export interface ActionElement {
  role: string;
  name: string;
  /** Text of its list item, table row or card. */
  row: string;
}

/** A field that an action fills in. */
export interface ActionField extends ActionElement {
  ref: string;
  /** What is entered, in words; of a field for a password or a code, only that something is. */
  value: string;
}

/** An action that needs a decision. */
export interface BrowserAction {
  tool: string;
  threadId: string;
  /** URL of the active tab. */
  url?: string;
  ref?: string;
  /** The element acted on, as the agent read it; for a form, its submit button. */
  element?: ActionElement & { tag?: string };
  /** What it fills in, in this order. */
  fields?: ActionField[];
  /** The dialog being answered. */
  dialog?: { type: string; message: string };
  values: ValueKind[];
  /** The likely classes, guessed from the page's text. */
  classes: ActionClass[];
  /** The target is unknown: a point of the page, or the focused element. */
  isUncertain: boolean;
}

/**
 * Whether a person must approve an action first. May be called more than once for one action; an exception counts as
 * yes.
 */
export type Approval = (action: BrowserAction) => boolean | Promise<boolean>;

/**
 * Requires approval for actions that look like one of these classes, and for those with an unknown target.
 * ⏎ @example
 * ```ts
 * new BrowserToolset({ approval: approvalFor('pay', 'delete') });
 * ```
 */
export function approvalFor(...classes: readonly ActionClass[]): Approval {
  const asked = new Set(classes);
  // A press on an unknown target can have any effect of a press.
  const byPress = asked.has('pay') || asked.has('delete') || asked.has('submit') || asked.has('download');
  return ({ classes: found, isUncertain }) => (isUncertain && byPress) || found.some(each => asked.has(each));
}

interface Pressed {
  role: string;
  name: string;
  domId?: string | undefined;
  /** The default action of a press. */
  does?: 'submit' | 'download' | 'upload' | undefined;
}

/** Roles of elements that are filled in rather than pressed: their names are about the value. */
const ENTERED_VALUE_ROLES = new Set(['textbox', 'searchbox', 'spinbutton', 'slider', 'listbox', 'combobox']);

export function classesOfPress({ role, name, domId = '', does }: Pressed, url = ''): ActionClass[] {
  if (does === 'upload') return [does];
  const classes = ENTERED_VALUE_ROLES.has(role) ? [] : classesOfWords(`${name} ${spaced(domId)}`);
  if (does !== undefined) classes.push(does);
  if (classes.includes('submit') && isPayPage(url)) classes.push('pay');
  return ACTION_CLASSES.filter(each => classes.includes(each));
}

/** The classes of submitting a field's form. */
export function classesOfSending(url = ''): ActionClass[] {
  return isPayPage(url) ? ['submit', 'pay'] : ['submit'];
}

/** What following a link cannot do, as that only requests its address by GET; some servers do delete by GET. */
const NEVER_BY_GET: ReadonlySet<ActionClass> = new Set(['submit', 'pay']);

/** The classes of a press that only follows a link, out of those that its words suggest. */
export function classesOfFollowing(suggested: readonly ActionClass[]): ActionClass[] {
  return suggested.filter(each => !NEVER_BY_GET.has(each));
}

/** The classes whose words a text contains. */
export function classesOfWords(text: string): ActionClass[] {
  const plain = foldedWords(text);
  return MATCHERS.flatMap(([name, matches]) => (matches(plain) ? [name] : []));
}

const MATCHERS: [ActionClass, (text: string) => boolean][] = [
  ['submit', matcher(SUBMIT)],
  ['pay', matcher(PAY)],
  ['delete', matcher(DELETE)],
  ['download', matcher(DOWNLOAD)],
];

function isPayPage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  return /checkout|payment|[/.]pay(?:[/.]|$)|billing|kasse|paiement|pago/i.test(
    `/${new URL(url).hostname}${new URL(url).pathname}`,
  );
}

function matcher({ words, anywhere = '' }: Words): (text: string) => boolean {
  const whole = words.split(/\s*,\s*/).map(word => foldedWords(word).replaceAll('*', '\\p{L}*'));
  const one = new RegExp(`(?<![\\p{L}\\p{N}])(?:${whole.join('|')})(?![\\p{L}\\p{N}])`, 'u');
  const pieces = anywhere.split(' ').filter(Boolean).map(foldedWords);
  return text => one.test(text) || pieces.some(piece => text.includes(piece));
}

const LETTERS_FOLDED: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', ı: 'i', đ: 'd', æ: 'ae', œ: 'oe' };

/** Lower case, without accents, with single spaces. */
function foldedWords(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßøłıđæœ]/g, letter => LETTERS_FOLDED[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Splits `deleteRow-btn` into delete, row and btn. */
function spaced(domId: string): string {
  return domId.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[^\p{L}]+/gu, ' ');
}
