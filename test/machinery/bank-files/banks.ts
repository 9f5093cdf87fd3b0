/** Describes an expected line: date, minor units, currency, counterparty, and what its text contains. */
export type Expected = [date: string, amount: number, currency: string, counterparty: string, text: string]

export interface Sample {
  bank: string
  file: string
  encoding?: 'utf-8' | 'latin1' | 'utf-16le'
  lines: Expected[]
  /** The numbers of the lines that are wrong. */
  wrong?: number[]
  leftOut?: [line: number, reason: string][]
}

const rows = (...lines: string[]) => lines.join('\r\n')
const quoted = (separator: string, ...lines: string[]) =>
  rows(
    ...lines.map(line =>
      line
        .split('|')
        .map(cell => `"${cell}"`)
        .join(separator),
    ),
  )

/** A file of each shape that banks write, after theirs: their header, what stands around it, how they write; the people are made up. */
export const samples: readonly Sample[] = [
  {
    bank: 'Sparkasse, CSV-CAMT',
    encoding: 'latin1',
    file: quoted(
      ';',
      'Auftragskonto|Buchungstag|Valutadatum|Buchungstext|Verwendungszweck|Glaeubiger ID|Mandatsreferenz|Kundenreferenz (End-to-End)|Sammlerreferenz|Lastschrift Ursprungsbetrag|Auslagenersatz Ruecklastschrift|Beguenstigter/Zahlungspflichtiger|Kontonummer/IBAN|BIC (SWIFT-Code)|Betrag|Waehrung|Info',
      'DE02|05.12.26|05.12.26|GUTSCHR. UEBERWEISUNG|Karten RF18 5390 0754 7034|||NOTPROVIDED||||Jörg Groß|DE03|TUBDDEDD|1.099,80|EUR|Umsatz gebucht',
      'DE02|05.12.26|08.12.26|FOLGELASTSCHRIFT|Strom|DE94|M1|R1||||Stadtwerke|DE04|TUBDDEDD|-99,80|EUR|Umsatz gebucht',
      'DE02|07.12.26|08.12.26|GUTSCHR. UEBERWEISUNG|Karten|||||||Eva|DE05|TUBDDEDD|12,00|EUR|Umsatz vorgemerkt',
    ),
    lines: [
      ['2026-12-05', 109_980, 'EUR', 'Jörg Groß', 'Karten RF18 5390 0754 7034'],
      ['2026-12-05', -9_980, 'EUR', 'Stadtwerke', 'Strom'],
    ],
    leftOut: [[4, 'pending']],
  },
  {
    bank: 'DKB',
    file: `\ufeff${rows(
      '"Girokonto";"DE02"',
      '',
      '"Kontostand vom 09.12.2026:";"4.093,32 €"',
      '""',
      '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"',
      '"08.12.26";"08.12.26";"Gebucht";"Max Mustermann";"Verein";"RF18539007547034";"Eingang";"DE03";"200";"";"";"E2E"',
      '"05.12.26";"05.12.26";"Gebucht";"Verein";"Firma";"Miete";"Ausgang";"DE03";"-62,3";"";"";""',
      '"05.12.26";"";"Vorgemerkt";"Ann";"Verein";"Karte";"Eingang";"DE03";"10";"";"";""',
    )}`,
    lines: [
      ['2026-12-08', 20_000, 'EUR', 'Max Mustermann / Verein', 'RF18539007547034'],
      ['2026-12-05', -6_230, 'EUR', 'Verein / Firma', 'Miete'],
    ],
    leftOut: [[8, 'pending']],
  },
  {
    bank: 'ING-DiBa',
    encoding: 'latin1',
    file: rows(
      'Umsatzanzeige;Datei erstellt am: 09.12.2026 15:23',
      '',
      'IBAN;DE02 3704 0044 0532 0130 00',
      'Kontoname;Girokonto',
      'Bank;ING',
      'Kunde;Max Mustermann',
      'Zeitraum;17.11.2026 - 09.12.2026',
      'Saldo;66.331,90;EUR',
      '',
      'Sortierung;Datum absteigend',
      '',
      'In der CSV-Datei finden Sie alle bereits gebuchten Umsätze. Die vorgemerkten werden nicht aufgenommen.',
      '',
      'Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung',
      '09.12.2026;09.12.2026;Änne Öhm;Gutschrift;RF18 5390 0754 7034;66.331,90;USD;13,98;EUR',
      '08.12.2026;08.12.2026;Gerhard;Dauerauftrag;Nebenkosten;66.317,92;USD;-1.200,00;EUR',
    ),
    lines: [
      ['2026-12-09', 1_398, 'EUR', 'Änne Öhm', 'RF18 5390 0754 7034'],
      ['2026-12-08', -120_000, 'EUR', 'Gerhard', 'Nebenkosten'],
    ],
  },
  {
    bank: 'Deutsche Bank',
    file: rows(
      'Umsätze Girokonto;;;Kundennummer: 100 1234567',
      '01.12.2026 - 31.12.2026',
      'Letzter Kontostand;;;;1.000,00;EUR',
      'Vorgemerkte und noch nicht gebuchte Umsätze sind nicht Bestandteil dieser Übersicht.',
      'Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;BIC;Kundenreferenz;Mandatsreferenz ;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung',
      '02.12.2026;02.12.2026;SEPA Gutschrift;Ann;RF18539007547034;DE03;X;;;;;;;1;;;1.250,00;EUR',
      '03.12.2026;03.12.2026;SEPA Überweisung;Druckerei;Plakate;DE04;X;;;;;;;1;;-40,10;;EUR',
      'Kontostand;31.12.2026;;;2.209,90;EUR',
    ),
    lines: [
      ['2026-12-02', 125_000, 'EUR', 'Ann', 'RF18539007547034'],
      ['2026-12-03', -4_010, 'EUR', 'Druckerei', 'Plakate'],
    ],
    leftOut: [[8, 'remark']],
  },
  {
    bank: 'N26',
    file: quoted(
      ',',
      'Booking Date|Value Date|Partner Name|Partner Iban|Type|Payment Reference|Account Name|Amount (EUR)|Original Amount|Original Currency|Exchange Rate',
      '2026-12-01|2026-12-01|Ann|DE03|Credit Transfer|rf18539007547034|Main|12.5|||',
      '2026-12-02|2026-12-02|Shop|DE04|Presentment|Card|Main|-20.0|21.0|USD|0.95',
    ),
    lines: [
      ['2026-12-01', 1_250, 'EUR', 'Ann', 'rf18539007547034'],
      ['2026-12-02', -2_000, 'EUR', 'Shop', 'Card'],
    ],
  },
  {
    bank: 'Commerzbank',
    file: `\ufeff${rows(
      'Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;IBAN Kontoinhaber;Kategorie',
      '31.12.2026;31.12.2026;Gutschrift;Ann Karten RF18539007547034 End-to-End-Ref.: NOTPROVIDED;10,7;EUR;DE79;',
      '31.12.2026;31.12.2026;Zinsen/Entgelte;Rechnungsabschluss Saldo 8.673,51;0;EUR;DE79;',
      '21.01.2027;21.01.2027;Lastschrift;Mail  Media;-1.012,34;EUR;DE79;',
    )}`,
    lines: [
      ['2026-12-31', 1_070, 'EUR', '', 'Ann Karten RF18539007547034'],
      ['2026-12-31', 0, 'EUR', '', 'Rechnungsabschluss'],
      ['2027-01-21', -101_234, 'EUR', '', 'Mail Media'],
    ],
  },
  {
    bank: 'Volksbank, with S and H in a column without a name',
    encoding: 'latin1',
    file: quoted(
      ';',
      'Volksbank',
      '',
      'Umsatzanzeige',
      '',
      'BLZ:|12345||Datum:|31.12.2026',
      'Konto:|777||Uhrzeit:|10:00:00',
      '',
      'Buchungstag|Valuta|Auftraggeber/Zahlungsempfänger|Empfänger/Zahlungspflichtiger|Konto-Nr.|IBAN|BLZ|BIC|Vorgang/Verwendungszweck|Kundenreferenz|Währung|Umsatz| ',
      '30.12.2026|30.12.2026|Verein|Ann|||||RF18 5390\n0754 7034||EUR|1.012,50|H',
      '30.12.2026|30.12.2026|Verein|Strom AG|||||Abschlag||EUR|80,00|S',
      '30.12.2026|||||||||Anfangssaldo|EUR|100,00|H',
      '31.12.2026|||||||||Endsaldo|EUR|1.032,50|H',
    ),
    lines: [
      ['2026-12-30', 101_250, 'EUR', 'Verein / Ann', 'RF18 5390 0754 7034'],
      ['2026-12-30', -8_000, 'EUR', 'Verein / Strom AG', 'Abschlag'],
    ],
    leftOut: [
      [11, 'balance'],
      [12, 'balance'],
    ],
  },
  {
    bank: 'VR Bank and GLS',
    file: `\ufeff${rows(
      'Bezeichnung Auftragskonto;IBAN Auftragskonto;BIC Auftragskonto;Bankname Auftragskonto;Buchungstag;Valutadatum;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;BIC (SWIFT-Code) Zahlungsbeteiligter;Buchungstext;Verwendungszweck;Betrag;Waehrung;Saldo nach Buchung;Bemerkung;Gekennzeichneter Umsatz;Glaeubiger ID;Mandatsreferenz',
      'Giro;DE89;GENO;VR Bank;01.12.2026;01.12.2026;Ann;DE03;GENO;Gutschrift;EREF: RF18539007547034;175,00;EUR;14846,94;;;;',
      'Giro;DE89;GENO;VR Bank;01.12.2026;01.12.2026;Firma;DE04;WELA;Basislastschrift;Beitrag;-453,11;EUR;14671,94;;;DE89;M-1',
    )}`,
    lines: [
      ['2026-12-01', 17_500, 'EUR', 'Ann', 'EREF: RF18539007547034'],
      ['2026-12-01', -45_311, 'EUR', 'Firma', 'Beitrag'],
    ],
  },
  {
    bank: 'Targobank, which has no header',
    file: rows(
      "03.11.2026;Echtzeitüberweisung   ANN   RF18 5390 0754 7034;5,00;;;;'DE67'",
      "03.11.2026;Lastschrift   BANK AG   Visa;-1.024,00;;;;'DE67'",
      "14.11.2026;Kartenzahlung   STATION;-20,00;;;;'DE67'",
    ),
    lines: [
      ['2026-11-03', 500, 'EUR', '', 'Echtzeitüberweisung ANN RF18 5390 0754 7034'],
      ['2026-11-03', -102_400, 'EUR', '', 'Lastschrift BANK AG Visa'],
      ['2026-11-14', -2_000, 'EUR', '', 'Kartenzahlung STATION'],
    ],
  },
  {
    bank: 'PayPal, in German',
    file: `\ufeff${quoted(
      ',',
      'Datum|Uhrzeit|Zeitzone|Name|Typ|Status|Währung|Brutto|Gebühr|Netto|Transaktionscode|Betreff|Hinweis|Guthaben',
      '18.06.2026|07:47:30|CEST|Ann|Zahlung|Abgeschlossen|EUR|1.100,00|-3,00|1.097,00|8L0|RF18539007547034||1.138,53',
      '18.06.2026|07:48:30|CEST|Bob|Zahlung|Ausstehend|EUR|5,00|0,00|5,00|8L1|||1.138,53',
    )}`,
    lines: [['2026-06-18', 110_000, 'EUR', 'Ann', 'RF18539007547034']],
    leftOut: [[3, 'pending']],
  },
  {
    bank: 'BBVA',
    file: rows(
      'Últimos movimientos;;;;;;;;',
      ';;;;;;;;',
      'F.Valor;Fecha;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones',
      '03/12/2026;02/12/2026;Transferencia recibida;RF18539007547034;1.250,00;EUR;5.000,00;EUR;Ana Peña',
      '13/12/2026;13/12/2026;Recibo;Luz;-80,5;EUR;4.919,50;EUR;',
    ),
    lines: [
      ['2026-12-02', 125_000, 'EUR', '', 'Transferencia recibida RF18539007547034 Ana Peña'],
      ['2026-12-13', -8_050, 'EUR', '', 'Recibo Luz'],
    ],
  },
  {
    bank: 'Santander, Spain',
    encoding: 'latin1',
    file: rows(
      'Consulta de movimientos;;;;',
      'Titular: ASOCIACIÓN;;;;',
      'Saldo disponible: 5.000,00 EUR;;;;',
      '',
      'FECHA OPERACIÓN;FECHA VALOR;CONCEPTO;IMPORTE EUR;SALDO',
      '28/11/2026;28/11/2026;Transferencia De Ana, Concepto Rf18539007547034;12,00;5.000,00',
      '01/12/2026;01/12/2026;Comisión;−3,25;4.996,75',
    ).replace('−', '-'),
    lines: [
      ['2026-11-28', 1_200, 'EUR', '', 'Transferencia De Ana, Concepto Rf18539007547034'],
      ['2026-12-01', -325, 'EUR', '', 'Comisión'],
    ],
  },
  {
    bank: 'CaixaBank',
    file: rows(
      'Concepto;Fecha;Importe;Saldo',
      'TRANSF. RF18 5390 0754 7034;30/11/2026;+1.012,00EUR;2.012,00EUR',
      'RECIBO;01/12/2026;-12,00EUR;2.000,00EUR',
    ),
    lines: [
      ['2026-11-30', 101_200, 'EUR', '', 'TRANSF. RF18 5390 0754 7034'],
      ['2026-12-01', -1_200, 'EUR', '', 'RECIBO'],
    ],
  },
  {
    bank: 'Revolut Business',
    file: rows(
      'Date started (UTC),Date completed (UTC),ID,Type,State,Description,Reference,Payer,Card number,Card label,Card state,Orig currency,Orig amount,Payment currency,Amount,Total amount,Exchange rate,Fee,Fee currency,Balance,Account,Beneficiary account number,Beneficiary sort code or routing number,Beneficiary IBAN,Beneficiary BIC,MCC,Related transaction id,Spend program',
      '2026-12-01,2026-12-02,6565-a,TOPUP,COMPLETED,Money added from ANN,RF18539007547034,ANN,,,,EUR,50.00,EUR,50.00,50.00,,0.00,EUR,150.00,EUR Main,,,,,,,',
      '2026-12-03,,6565-b,TRANSFER,PENDING,To Shop,,Club,,,,EUR,-9.00,EUR,-9.00,-9.00,,0.00,EUR,141.00,EUR Main,,,,,,,',
      '2026-12-03,,6565-c,TRANSFER,REVERTED,To Shop,,Club,,,,EUR,-9.00,EUR,-9.00,-9.00,,0.00,EUR,141.00,EUR Main,,,,,,,',
    ),
    lines: [['2026-12-02', 5_000, 'EUR', 'ANN', 'Money added from ANN RF18539007547034']],
    leftOut: [
      [3, 'pending'],
      [4, 'pending'],
    ],
  },
  {
    bank: 'Wise',
    file: rows(
      '"TransferWise ID",Date,"Date Time",Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From","Exchange To","Exchange Rate","Payer Name","Payee Name","Payee Account Number",Merchant,"Card Last Four Digits","Card Holder Full Name",Attachment,Note,"Total fees","Exchange To Amount","Transaction Type","Transaction Details Type"',
      'TRANSFER-1,31-12-2026,"31-12-2026 10:00:00.123",120.00,USD,"Received money from Ann",RF18539007547034,500.00,,,,Ann,,,,,,,,0.00,,CREDIT,MONEY_ADDED',
      'TRANSFER-2,30-12-2026,"30-12-2026 10:00:00.123",-1020.50,USD,"Sent money",,380.00,,,,,Bob,,,,,,,0.41,,DEBIT,TRANSFER',
    ),
    lines: [
      ['2026-12-31', 12_000, 'USD', 'Ann', 'RF18539007547034'],
      ['2026-12-30', -102_050, 'USD', 'Bob', 'Sent money'],
    ],
  },
  {
    bank: 'Barclays',
    file: rows(
      'Number,Date,Account,Amount,Subcategory,Memo',
      ' ,31/12/2026,20-00-00 12345678,25.00,Counter Credit,"ANN SMITH  \tRF18539007547034 BGC"',
      ' ,02/01/2027,20-00-00 12345678,-1200.00,Funds Transfer,"RENT"',
    ),
    lines: [
      ['2026-12-31', 2_500, 'GBP', '', 'ANN SMITH RF18539007547034 BGC'],
      ['2027-01-02', -120_000, 'GBP', '', 'RENT'],
    ],
  },
  {
    bank: 'HSBC UK, which has no header',
    file: rows(
      '31/12/2026,"ANN SMITH RF18 5390 0754 7034 CR","1,025.00"',
      '02/01/2027,"DIRECT DEBIT POWER",-80.10',
      '03/01/2027,"CARD PAYMENT SHOP",-8.00',
    ),
    lines: [
      ['2026-12-31', 102_500, 'GBP', '', 'ANN SMITH RF18 5390 0754 7034 CR'],
      ['2027-01-02', -8_010, 'GBP', '', 'DIRECT DEBIT POWER'],
      ['2027-01-03', -800, 'GBP', '', 'CARD PAYMENT SHOP'],
    ],
  },
  {
    bank: 'Nationwide',
    encoding: 'latin1',
    file: quoted(
      ',',
      'Account Name:|FlexAccount ****12345',
      'Account Balance:|£1,234.56',
      'Available Balance: |£1,234.56',
      '',
      'Date|Transaction type|Description|Paid out|Paid in|Balance',
      '31 Dec 2026|Bank credit|RF18539007547034 Ann||£25.00|£1,234.56',
      '30 Dec 2026|Direct debit|Water|£1,012.34||£1,209.56',
    ),
    lines: [
      ['2026-12-31', 2_500, 'GBP', '', 'RF18539007547034 Ann'],
      ['2026-12-30', -101_234, 'GBP', '', 'Water'],
    ],
  },
  {
    bank: 'Starling',
    file: rows(
      'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes',
      '14/12/2026,Ann,RF18539007547034,FASTER PAYMENT,25.00,125.00,INCOME,',
      '01/12/2026,Shop,CARD,CONTACTLESS,-3.20,100.00,SHOPPING,lunch',
    ),
    lines: [
      ['2026-12-14', 2_500, 'GBP', 'Ann', 'RF18539007547034'],
      ['2026-12-01', -320, 'GBP', 'Shop', 'CARD lunch'],
    ],
  },
  {
    bank: 'Monzo',
    file: rows(
      'Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In',
      'tx_1,13/12/2026,10:00:00,Faster payment,Ann,🎉,Income,25.00,GBP,25.00,GBP,,,,RF18539007547034,,,25.00',
      'tx_2,14/12/2026,10:00:00,Card payment,Shop,,Shopping,-3.20,GBP,-3.50,EUR,,,,SHOP LONDON,,-3.20,',
    ),
    lines: [
      ['2026-12-13', 2_500, 'GBP', 'Ann', 'RF18539007547034'],
      ['2026-12-14', -320, 'GBP', 'Shop', 'SHOP LONDON'],
    ],
  },
  {
    bank: 'Rabobank',
    encoding: 'latin1',
    file: quoted(
      ',',
      'IBAN/BBAN|Munt|BIC|Volgnr|Datum|Rentedatum|Bedrag|Saldo na trn|Tegenrekening IBAN/BBAN|Naam tegenpartij|Naam uiteindelijke partij|Naam initiërende partij|BIC tegenpartij|Code|Batch ID|Transactiereferentie|Machtigingskenmerk|Incassant ID|Betalingskenmerk|Omschrijving-1|Omschrijving-2|Omschrijving-3|Reden retour|Oorspr bedrag|Oorspr munt|Koers',
      'NL02|EUR|RABONL2U|000000000000007213|2026-12-01|2026-12-01|+1012,50|+1000,31|NL03|Ann de Vries|||INGBNL2A|cb||||| RF18539007547034|Kaarten|||||| ',
      'NL02|EUR|RABONL2U|000000000000007214|2026-12-02|2026-12-02|-35,00|+965,31|NL04|Zaal|||INGBNL2A|bg||X|||| Huur|zaal| ||||',
    ),
    lines: [
      ['2026-12-01', 101_250, 'EUR', 'Ann de Vries', 'RF18539007547034 Kaarten'],
      ['2026-12-02', -3_500, 'EUR', 'Zaal', 'Huur zaal'],
    ],
  },
  {
    bank: 'ING, Netherlands',
    file: quoted(
      ';',
      'Datum|Naam / Omschrijving|Rekening|Tegenrekening|Code|Af Bij|Bedrag (EUR)|Mutatiesoort|Mededelingen|Saldo na mutatie|Tag',
      '20261201|Ann de Vries|NL02|NL03|OV|Bij|1012,50|Overschrijving|Naam: Ann Kenmerk: RF18539007547034|1000,31|',
      '20261202|Zaal|NL02|NL04|GT|Af|35,00|Online bankieren|Huur|965,31|',
    ),
    lines: [
      ['2026-12-01', 101_250, 'EUR', 'Ann de Vries', 'Naam: Ann Kenmerk: RF18539007547034'],
      ['2026-12-02', -3_500, 'EUR', 'Zaal', 'Huur'],
    ],
  },
  {
    bank: 'ABN AMRO, by tabs and without a header',
    file: rows(
      '123456789\tEUR\t20261201\t1000,00\t2012,50\t20261201\t1012,50\tSEPA Overboeking  IBAN: NL03  Naam: ANN  Betalingskenm.: RF18539007547034',
      '123456789\tEUR\t20261202\t2012,50\t1977,50\t20261202\t-35,00\tBEA   NR:123   02.12.26/10.00 ZAAL',
    ),
    lines: [
      ['2026-12-01', 101_250, 'EUR', '', 'Betalingskenm.: RF18539007547034'],
      ['2026-12-02', -3_500, 'EUR', '', 'BEA NR:123'],
    ],
  },
  {
    bank: 'mBank',
    file: rows(
      'mBank S.A. Bankowość Detaliczna;',
      'Skrytka Pocztowa 2108;',
      '90-959 Łódź 2;',
      '',
      '#Klient;',
      'STOWARZYSZENIE;',
      '',
      'Lista operacji;',
      '',
      '#Za okres:;',
      '01.12.2026;31.12.2026;',
      '',
      '#zgodnie z wybranymi filtrami wyszukiwania;',
      '#dla rachunków:;',
      'eKonto - 1111;',
      '',
      '#Waluta;#Wpływy;#Wydatki;',
      'PLN;1 012,50;-80,00;',
      '',
      '#Data operacji;#Data księgowania;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;#Kwota;#Saldo po operacji;',
      '2026-12-01;2026-12-01;PRZELEW ZEWNĘTRZNY;"RF18539007547034";"ANNA NOWAK";\'111\';1 012,50;2 012,50;',
      '2026-12-02;2026-12-02;PRZELEW;"Sala";"DOM";\'222\';-80,00;1 932,50;',
      '',
      ';;;;;;#Saldo końcowe;1 932,50;',
    ),
    lines: [
      ['2026-12-01', 101_250, 'PLN', 'ANNA NOWAK', 'PRZELEW ZEWNĘTRZNY RF18539007547034'],
      ['2026-12-02', -8_000, 'PLN', 'DOM', 'PRZELEW Sala'],
    ],
    leftOut: [[24, 'remark']],
  },
  {
    bank: 'PKO BP',
    file: quoted(
      ',',
      'Data operacji|Data waluty|Typ transakcji|Kwota|Waluta|Saldo po transakcji|Opis transakcji|||',
      '2026-12-01|2026-12-01|Przelew na konto|+12.50|PLN|+112.50|Rachunek nadawcy: 11|Nazwa nadawcy: ANNA|Tytuł: RF18539007547034|',
      '2026-12-02|2026-12-02|Przelew z rachunku|-80.00|PLN|+32.50|Rachunek odbiorcy: 22|Tytuł: Sala||',
    ),
    lines: [
      ['2026-12-01', 1_250, 'PLN', '', 'Rachunek nadawcy: 11 Nazwa nadawcy: ANNA Tytuł: RF18539007547034'],
      ['2026-12-02', -8_000, 'PLN', '', 'Rachunek odbiorcy: 22 Tytuł: Sala'],
    ],
  },
  {
    bank: 'UBS',
    file: `\ufeff${rows(
      'Kontonummer:;0234 00123456.40;',
      'IBAN:;CH02;',
      'Von:;2026-12-01;',
      'Bis:;2026-12-31;',
      'Anfangssaldo:;1000.00;',
      'Schlusssaldo:;1932.50;',
      'Bewertet in:;CHF;',
      'Anzahl Transaktionen in diesem Zeitraum:;2;',
      '',
      'Abschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;',
      '2026-12-02;;2026-12-02;2026-12-02;CHF;-80.00;;;1932.50;9930;"Halle AG";"Miete";;;',
      '2026-12-01;;2026-12-01;2026-12-01;CHF;;1012.50;;2012.50;9929;"Anna Muster; Bern";"Gutschrift";"Zahlungsgrund: RF18 5390 0754 7034";;',
    )}`,
    lines: [
      ['2026-12-02', -8_000, 'CHF', '', 'Halle AG Miete'],
      ['2026-12-01', 101_250, 'CHF', '', 'Anna Muster; Bern Gutschrift Zahlungsgrund: RF18 5390 0754 7034'],
    ],
  },
  {
    bank: 'PostFinance',
    file: `\ufeff${rows(
      'Datum von:;="2026-12-01"',
      'Datum bis:;="2026-12-31"',
      'Buchungsart:;="Alle Buchungen"',
      'Konto:;="CH02"',
      'Währung:;="CHF"',
      '',
      'Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie',
      '02.12.2026;Gutschrift;"GUTSCHRIFT ANNA MITTEILUNGEN: RF18539007547034";1\'012.50;;;',
      '03.12.2026;Lastschrift;"LASTSCHRIFT HALLE AG";;-80;;',
      '',
      'Disclaimer:',
      'Der Dokumentinhalt wurde durch Filtereinstellungen der Kundin erstellt.',
    )}`,
    lines: [
      ['2026-12-02', 101_250, 'CHF', '', 'GUTSCHRIFT ANNA MITTEILUNGEN: RF18539007547034'],
      ['2026-12-03', -8_000, 'CHF', '', 'LASTSCHRIFT HALLE AG'],
    ],
    leftOut: [
      [11, 'remark'],
      [12, 'remark'],
    ],
  },
  {
    bank: 'Chase',
    file: rows(
      'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #',
      'CREDIT,12/31/2026,"ZELLE FROM ANN RF18539007547034",25.00,QUICKPAY_CREDIT,1025.00,,',
      'DEBIT,12/01/2026,"ONLINE PAYMENT",-1200.00,ACCT_XFER,1000.00,,',
      'CHECK,12/02/2026,"CHECK 101",-5.00,CHECK_PAID,995.00,101,',
    ),
    lines: [
      ['2026-12-31', 2_500, 'USD', '', 'ZELLE FROM ANN RF18539007547034'],
      ['2026-12-01', -120_000, 'USD', '', 'ONLINE PAYMENT'],
      ['2026-12-02', -500, 'USD', '', 'CHECK 101'],
    ],
  },
  {
    bank: 'Bank of America',
    file: rows(
      'Description,,Summary Amt.',
      'Beginning balance as of 12/01/2026,,"1,000.00"',
      'Total credits,,"1,025.00"',
      'Total debits,,"-80.00"',
      'Ending balance as of 12/31/2026,,"1,945.00"',
      '',
      'Date,Description,Amount,Running Bal.',
      '12/01/2026,Beginning balance as of 12/01/2026,,"1,000.00"',
      '12/02/2026,"Zelle payment from ANN RF18539007547034","1,025.00","2,025.00"',
      '12/13/2026,"POWER CO","-80.00","1,945.00"',
    ),
    lines: [
      ['2026-12-02', 102_500, 'USD', '', 'Zelle payment from ANN RF18539007547034'],
      ['2026-12-13', -8_000, 'USD', '', 'POWER CO'],
    ],
    leftOut: [[8, 'balance']],
  },
  {
    bank: 'Crédit Agricole',
    encoding: 'latin1',
    file: rows(
      'Téléchargement du 31/12/2026;',
      '',
      'Compte courant n° 123;',
      'Solde au 31/12/2026 1 932,50 €',
      '',
      'Date;Libellé;Débit euros;Crédit euros;',
      '14/12/2026;"VIREMENT EN VOTRE FAVEUR\nANNE RF18 5390 0754 7034";;1\u00a0012,50;',
      '02/12/2026;"PRELEVEMENT EDF";80,00;;',
    ),
    lines: [
      ['2026-12-14', 101_250, 'EUR', '', 'VIREMENT EN VOTRE FAVEUR ANNE RF18 5390 0754 7034'],
      ['2026-12-02', -8_000, 'EUR', '', 'PRELEVEMENT EDF'],
    ],
  },
  {
    bank: 'Intesa Sanpaolo',
    file: rows(
      'Data contabile;Data valuta;Descrizione;Accrediti;Addebiti;Divisa',
      '14/12/2026;14/12/2026;BONIFICO DA ANNA RF18539007547034;1.012,50;;EUR',
      '15/12/2026;15/12/2026;BOLLETTA;;-80,00;EUR',
    ),
    lines: [
      ['2026-12-14', 101_250, 'EUR', '', 'BONIFICO DA ANNA RF18539007547034'],
      ['2026-12-15', -8_000, 'EUR', '', 'BOLLETTA'],
    ],
  },
  {
    bank: 'Handelsbanken, as Excel saves it',
    encoding: 'utf-16le',
    file: `\ufeff${rows(
      'Reskontradatum\tTransaktionsdatum\tText\tBelopp\tSaldo',
      '2026-12-01\t2026-12-01\tAnna RF18539007547034\t1 012,50\t2 012,50',
      '2026-12-02\t2026-12-02\tLokal\t-80,00\t1 932,50',
    )}`,
    lines: [
      ['2026-12-01', 101_250, 'SEK', '', 'Anna RF18539007547034'],
      ['2026-12-02', -8_000, 'SEK', '', 'Lokal'],
    ],
  },
  {
    bank: 'a Japanese bank, in English',
    file: rows(
      'Transaction date,Description,Withdrawal,Deposit,Balance',
      '2026/12/01,FURIKOMI ANN RF18539007547034,,"1,200","101,200"',
      '2026/12/02,HALL,"80,000",,"21,200"',
    ),
    lines: [
      ['2026-12-01', 1_200, 'JPY', '', 'FURIKOMI ANN RF18539007547034'],
      ['2026-12-02', -80_000, 'JPY', '', 'HALL'],
    ],
  },
  {
    bank: 'a bank in Kuwait',
    file: rows(
      'Transaction Date,Value Date,Narrative,Debit,Credit,Balance',
      '13/12/2026,13/12/2026,TRF ANN RF18539007547034,0.000,12.500,"1,012.500"',
      '14/12/2026,14/12/2026,HALL,1.250,0.000,"1,011.250"',
      'Total,,,1.250,12.500,',
    ),
    lines: [
      ['2026-12-13', 12_500, 'KWD', '', 'TRF ANN RF18539007547034'],
      ['2026-12-14', -1_250, 'KWD', '', 'HALL'],
    ],
    leftOut: [[4, 'remark']],
  },
]
