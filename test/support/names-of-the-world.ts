/** Names as registers of 30 countries write them: given names, and family names, by country. */
const LISTS: Readonly<Record<string, readonly [given: string, family: string]>> = {
  Germany: [
    'Jürgen Maximiliane-Theodora Käthe Björn-Uwe Sören',
    'Müller Weiß Hohenlohe-Schillingsfürst Größler von|der|Öhe',
  ],
  Austria: ['Anneliese Günther Jörg Franz-Xaver Bärbel', 'Höfler Straßer Schönauer Grüßer zu|Löwenstein'],
  Switzerland: ['Urs Jean-Pierre Zoé Réto Änni', 'Zürcher Müller-Bodmer Dübendorfer de|Weck Rüegg'],
  France: [
    'François Anne-Lœtitia Maëlle Jean-Noël Hélène',
    "D’Artagnan L'Hôpital de|La|Fontaine Lefèvre-Étaples Œuvrard",
  ],
  Belgium: [
    'Joël Geneviève Loïc An-Sofie Aurélie',
    "Van|den|Broecke D'Hondt T'Kint Léonard-Etienne De|Smedt",
  ],
  Netherlands: [
    'Daniël Noémi Jan-Willem Zoë Renée',
    "van|'t|Hoff in|'t|Veld de|Boër Coëlho van|der|Meer-Mohr",
  ],
  Ireland: [
    'Aoife Seán Máire Ciarán Róisín',
    "O'Neil O’Brien Mac|Giolla|Phádraig Ó|Súilleabháin Fitz-Gerald",
  ],
  Scotland: [
    'Catrìona Iain Mòrag Seònaid Ruaraidh',
    "M'Gregor MacAoidh Mac|a'|Ghobhainn NicDhòmhnaill Bowes-Lyon",
  ],
  Wales: ['Siân Llŷr Ffïon Gruffudd Cerys-Ann', 'ap|Rhŷs Llwyd-Jones Gŵyr Pŵell Môrgan'],
  Spain: ['María|José Íñigo Ángel Begoña Núria', 'Muñoz-Ibáñez de|la|Peña Güell Fernández-Castaño Yáñez'],
  Catalonia: ['Jordi Mercè Àlex Marçal Laia', 'Puig|i|Cadafalch Çelma Gual·lès Boï Sànchez-Llibre'],
  Portugal: ['João Inês Conceição Luísa Tomé', "Gonçalves d'Ávila dos|Santos-Brandão Magalhães Simões"],
  Brazil: ['Antônio Thaís Jussara Estêvão Heloísa', "D'Água Sant'Anna Assunção Guimarães-Rosa Araújo"],
  Italy: [
    'Nicolò Letizia Désirée Giosuè Maria-Sole',
    "D'Angelo Dell’Acqua Dalla|Costa Forlì-Conti De'|Medici",
  ],
  Denmark: ['Søren Kåre Bjørg Ærlig Zenia', 'Sørensen Kjærgård Bøgh-Østergaard Højgaard af|Åkjær'],
  Norway: ['Bjørn Åse Øyvind Håkon Marte-Lise', 'Ødegård Bråthen Kjølstad-Næss Grønvold Sæther'],
  Sweden: ['Göran Åsa Märta Björn Per-Åke', 'Ångström Lindström-Öberg Sjögren af|Ugglas Löfvén'],
  Finland: ['Päivi Väinö Yrjö Anna-Kaisa Äijö', 'Hämäläinen Mäkelä-Törmä Yli-Öyrä Kääriäinen Björklöf'],
  Iceland: ['Þóra Guðrún Ásgeir Æsa Óðinn', 'Þorvaldsdóttir Sigurðsson Blöndal Hjálmarsson-Þór Bjarnadóttir'],
  Estonia: ['Õnne Jüri Ülle Märt Kätlin', 'Põldmäe Tõnisson-Käär Räpp Šults Jõgeva'],
  Latvia: ['Jānis Līga Ģirts Ņina Šarlote', 'Bērziņš Kļaviņa-Ozola Ķēniņš Žagare Čakste'],
  Lithuania: ['Žydrūnas Rūta Ąžuolas Ėglė Šarūnas', 'Čiurlionis Ūdrys-Žukas Šimkutė Adamkienė Grinevičiūtė'],
  Poland: ['Łukasz Małgorzata Żaneta Bożena Jędrzej', 'Wałęsa Łącka-Dąbrowska Święcicki Źrebiec Śmigły-Rydz'],
  Czechia: ['Jiří Růžena Šárka Zdeněk Ľudmila', 'Dvořák Nováková-Říhová Žďárský Čapek Kučerová'],
  Hungary: ['Ágnes Győző Őrs Tünde Zoltán', 'Szőllősy-Nagy Erdődi Kőszegi Gyöngyösi Várkonyi'],
  Romania: ['Ștefan Ioana-Maria Țuca Răzvan Mădălina', 'Brâncuși Mihăilescu-Țepeș Ionescu Niță Șerban'],
  Croatia: ['Đurđa Željko Ćiro Šime Tihana', 'Đoković Šimić-Ćosić Žižek Brčić Mažuranić'],
  Turkey: ['Işık İnci Çağla Gülşen İbrahim', 'Yıldız Şahinoğlu Öztürk-İnan Kılıç Ağaoğlu'],
  Vietnam: ['Nguyễn|Thị|Ánh Đức Phượng Trần|Văn|Hiếu Quỳnh', 'Đặng Võ|Thị Phạm-Lê Huỳnh Bùi|Đình'],
  Hawaii: ['Kaʻiulani Keʻala Nāinoa Leilani Hōkū', 'Kamakawiwoʻole Kaʻahumanu Kalākaua Pāʻia-Wong O‘ahu'],
}

const listOf = (text: string) => text.split(' ').map(name => name.replaceAll('|', ' '))

/** Returns 1,500 names: each given name with each family name of its country, and both with a second family name. */
export function namesOfTheWorld(): { country: string; name: string }[] {
  return Object.entries(LISTS).flatMap(([country, [givenNames, familyNames]]) => {
    const families = listOf(familyNames)
    return listOf(givenNames).flatMap(given =>
      families.flatMap((family, at) => {
        const name = `${given} ${family}`
        return at % 2 === 0
          ? [
              { country, name },
              { country, name: `${name} ${families[at + 1] ?? ''}`.trim() },
            ]
          : [{ country, name }]
      }),
    )
  })
}
