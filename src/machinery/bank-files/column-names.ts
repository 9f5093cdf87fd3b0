import { fold } from '#base/fold.ts'
import { isCurrency } from '#base/money.ts'
import type { SingleField } from './mapping.ts'

export type NamedField = SingleField | 'balance' | 'counterparty' | 'text' | 'otherText'

const list = (...names: string[]) => names.join(',').split(',')

/**
 * The names that banks give to the columns, the likeliest first, without marks, case, punctuation, the currency and numbers at
 * the end. They are in English, German, Spanish, French, Dutch, Polish, Italian, Portuguese and some of Swedish, Danish, Czech
 * and Hungarian.
 */
const names: Readonly<Record<NamedField, readonly string[]>> = {
  date: list(
    'booking date,date booked,posting date,posted date,buchungstag,buchungsdatum,buchung,date completed utc,completed date',
    'fecha operacion,fecha de operacion,f operacion,fecha contable,fecha,date operation,date de l operation',
    'date de comptabilisation,date comptable,boekdatum,transactiedatum,datum,data operacji,data ksiegowania,data contabile',
    'data operazione,data mov,data movimento,data lancamento,data,bokforingsdag,bokforingsdatum,reskontradatum',
    'bogforingsdato,dato,dato bogfort,datum zauctovani,datum provedeni,transaction date,transactiondate,date started utc,date',
    'abschlussdatum,buchungs datum,date time,created on,transaction date time,konyveles datuma,konyvelesi datum',
  ),
  value_date: list(
    'value date,valuedate,valutadatum,valuta,wertstellung,wertstellungsdatum,wert,wertstellungstag,valutatag',
    'fecha valor,f valor,fecha de valor,date valeur,date de valeur,rentedatum,valutadatum,data waluty,data valuta',
    'data valor,valutadag,valutering,rentedato,erteknap,ertekdatum',
  ),
  amount: list(
    'amount,betrag,importe,montant,bedrag,kwota,kwota operacji,importo,valor,montante,belopp,belob,castka,umsatz',
    'transaction amount,transactiebedrag,paid amount,amt,import,importe operacion,importe movimiento,total amount',
    'kwota transakcji,montant operation,brutto,gross,cantidad,monto,amount in account currency,osszeg',
  ),
  credit: list(
    'credit,credit amount,paid in,money in,deposits,deposit,haben,gutschrift,gutschriften,einzahlung,eingang,abono,abonos,haber',
    'ingresos,ingreso,credito,accrediti,avere,entrate,credit montant,bij,uznania,uznanie,wplywy,credito montante,kredit',
    'insattning,amount credited,betrag haben,jovairas',
  ),
  debit: list(
    'debit,debit amount,paid out,money out,withdrawals,withdrawal,soll,belastung,belastungen,lastschrift,auszahlung,ausgang',
    'cargo,cargos,debe,gastos,gasto,debito,addebiti,dare,uscite,debit montant,af,obciazenia,obciazenie,wydatki,uttag',
    'amount debited,betrag soll,debet,terheles',
  ),
  flag: list(
    'soll haben,soll haben kennzeichen,s h,sh,debit credit,credit debit,debet credit,dc,d c,cd,c d,cr dr,dr cr,af bij,bij af',
    'credit debit indicator,creditdebitindicator,cdtdbtind,transaction type,direction,kennzeichen,vorzeichen,sign,sens',
    'signo,wn ma,dare avere,debito credito,cargo abono,debe haber,debit kredit',
  ),
  currency: list(
    'currency,wahrung,waehrung,divisa,moneda,devise,munt,muntsoort,valuta,waluta,moeda,valutakod,mena,payment currency,ccy',
    'account currency,monnaie,currency code,devizanem',
  ),
  bank_id: list(
    'transaction id,transactionid,id,transferwise id,bank reference,transaktions nr,transaktionsnummer,transaktionscode',
    'volgnr,transactiereferentie,numero de operacion,n operacion,id operacji,numer referencyjny,fitid,bankreferenz',
    'unique id,uuid,numero operation,n mouvement',
  ),
  status: list(
    'status,state,transaction status,buchungsstatus,umsatzstatus,estado,statut,stato,status transakcji,info',
  ),
  balance: list(
    'balance,running balance,running bal,saldo,kontostand,solde,saldo po operacji,saldo po transakcji,saldo na trn',
    'saldo na mutatie,saldo nach buchung,account balance,disponible,guthaben,available balance',
  ),
  counterparty: list(
    'name zahlungsbeteiligter,beguenstigter zahlungspflichtiger,begunstigter zahlungspflichtiger,zahlungspflichtige r',
    'zahlungspflichtiger,zahlungsempfanger in,auftraggeber empfanger,begunstigter auftraggeber,auftraggeber begunstigter',
    'auftraggeber zahlungsempfanger,empfanger zahlungspflichtiger,auftraggeber,empfanger,partner name,partnername,partner',
    'counter party,counterparty,counterparty name,payer,payer name,payee name,payee,name,naam,naam tegenpartij,naam omschrijving',
    'tegenpartij,nadawca odbiorca,odbiorca nadawca,nazwa nadawcy odbiorcy,nadawca,nazwa nadawcy,kontrahent,dane kontrahenta,ordenante',
    'beneficiario ordenante,ordenante beneficiario,beneficiaire,emetteur,nom,tiers,nom contrepartie,controparte,ordinante',
    'nombre,titular,remitente,motpart,merchant,name of counterparty,sender,sender name,nazev protiuctu,partner neve,ellenoldal neve',
  ),
  text: list(
    'verwendungszweck,vorgang verwendungszweck,buchungsdetails,payment reference,reference,description,memo,narrative,details',
    'remittance information,transaction description,concepto,descripcion,observaciones,mas datos,movimiento,libelle',
    'libelle operation,libelle complementaire,libelle simplifie,detail,communication,communications,omschrijving,mededelingen,mededeling',
    'betalingskenmerk,opis,opis operacji,opis transakcji,tytul,tytu3,tytulem,tytul operacji,tytul przelewu,tytul platnosci,descrizione,descrizione operazione,causale,descricao',
    'descritivo,text,avisierungstext,beschreibung,mitteilung,mitteilungen,meddelande,besked,kundenreferenz,end to end reference',
    'kundenreferenz end to end,transaktionsreferenz,referencia,reference client,structured communication,zahlungsreferenz',
    'creditor reference,hinweis,betreff,notes,notes and tags,note,notiz,message,zprava,reference de bout en bout',
    'kozlemeny,zprava pro prijemce',
  ),
  /** These count if there is no better column. */
  otherText: list('buchungstext,umsatzart,bewegungstyp,transaktionstyp,type,typ,tipo,subcategory,name,tekst'),
}

const ranks = new Map<string, Map<NamedField, number>>()
for (const [field, some] of Object.entries(names)) {
  for (const [rank, name] of some.entries()) {
    const fields = ranks.get(name) ?? new Map<NamedField, number>()
    if (!fields.has(field as NamedField)) fields.set(field as NamedField, rank)
    ranks.set(name, fields)
  }
}

/** In characters. */
const LONGEST_NAME = 80

/** Returns the fields that a column may be by its name, and how likely. A smaller number is likelier. */
export function ranksOf(header: string): ReadonlyMap<NamedField, number> {
  const found = new Map<NamedField, number>()
  if (header.length > LONGEST_NAME) return found
  for (const name of variantsOf(header))
    for (const [field, rank] of ranks.get(name) ?? []) if (!found.has(field)) found.set(field, rank)
  return found
}

const MONEY_WORDS = new Set(['euro', 'euros', 'pounds', 'zl'])

/** Returns a name with and without its end, which may be a currency or a number. */
function variantsOf(header: string): string[] {
  const words = toPlain(header).split(' ')
  const variants = [words.join(' ')]
  const last = words.at(-1) ?? ''
  if (words.length > 1 && (isCurrency(last.toUpperCase()) || MONEY_WORDS.has(last))) {
    words.pop()
    if (['in', 'en', 'w', 'em'].includes(words.at(-1) ?? '')) words.pop()
    variants.push(words.join(' '))
  }
  const unnumbered = variants[0]?.replace(/ ?\d+$/, '') ?? ''
  return [...variants, unnumbered]
}

/** Returns a text without case, marks and punctuation. */
export function toPlain(text: string): string {
  return fold(text.slice(0, 200))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Returns the currency that the name of a column contains: `Betrag (€)`, `Umsatz in EUR`. */
export function currencyIn(header: string): string | undefined {
  if (header.includes('€') || /\beuros?\)?$/i.test(header)) return 'EUR'
  if (header.includes('£')) return 'GBP'
  const code = /(?:\(|\s)([A-Z]{3})\)?$/.exec(header.trim())?.[1]
  return code !== undefined && isCurrency(code) ? code : undefined
}
