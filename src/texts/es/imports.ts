import { english } from '#base/faults.ts'
import type { Texts } from '../texts.ts'
import { count } from './page.ts'

const lines = (n: number) => count(n, { one: '# línea', many: '# de líneas', other: '# líneas' })
const characters = (n: number) =>
  count(n, { one: '# carácter', many: '# de caracteres', other: '# caracteres' })
const tickets = (n: number) => count(n, { one: '# entrada', many: '# de entradas', other: '# entradas' })

const ofLines: Texts['imports']['ofLines'] = {
  ...english,
  required: () => 'falta',
  unchosen: () => 'falta',
  blank: () => 'falta',
  unknown: () => 'no se admite',
  email: () => 'no es una dirección de correo',
  integer: ({ min, max }) => `no es un número entero de ${min} a ${max}`,
  oneOf: ({ values }) =>
    values.length === 0 ? 'todavía no hay ninguno' : `no es ninguno de ${values.join(', ')}`,
  either: ({ values }) => `no es ${values.join(' ni ')}`,
  length: ({ max }) => `tiene más de ${characters(max)}`,
  maxLength: ({ max }) => `tiene más de ${characters(max)}`,
  visible: () => 'no hay nada que se vea',
  wellFormed: () => 'tiene caracteres que no se pueden guardar',
  controlCharacters: () => 'tiene caracteres que no se pueden mostrar',
  combiningMarks: () => 'hay demasiados signos sobre una letra',
  answerCount: ({ max }) => `hay más de ${max} respuestas`,
  answerText: ({ max }) => `tiene más de ${characters(max)}`,
  asManyAs: () => 'un asiento no puede ser de varias entradas',
  twice: () => 'otra línea tiene la misma',
  ticketLeftOut: () => 'su entrada se queda fuera, o no está en ninguna línea anterior',
  moreCells: ({ max }) => `hay más celdas que las ${max} columnas`,
  soldOut: ({ available }) =>
    available === 0
      ? 'agotado'
      : `${count(available, { one: 'solo queda # entrada', other: 'solo quedan # entradas' })}`,
}

export const imports: Texts['imports'] = {
  title: 'Importar asistentes',
  about:
    'Desde una tabla: un libro de Excel (.xlsx) o CSV. Cada línea necesita un nombre y un correo: de quien no tenga, escribe uno al que pueda ir la entrada. No se añade nada antes de que veas qué se añadiría.',
  file: 'Archivo',
  fileHelp:
    'Excel (.xlsx) hasta 20 MB, o CSV hasta 50 MB: como mucho 100.000 líneas y 200 columnas, con una línea que nombre las columnas. De un libro se lee la primera hoja que tenga algo.',
  moving:
    'Las exportaciones de pretix (posiciones de los pedidos, o todo en JSON), Eventbrite (asistentes) y Hi.Events (asistentes) se reconocen tal como son.',
  upload: 'Subir',
  pasteInstead: 'Mejor pegar las líneas',
  pasteTitle: 'Pegar asistentes',
  pasted: 'Líneas pegadas',
  linesLabel: 'Líneas',
  linesHelp: 'Copiadas de una hoja de cálculo, con la línea que nombra las columnas.',
  readLines: 'Leerlas',
  uploadInstead: 'Mejor subir un archivo',
  lineAt: line => `Línea ${line}`,
  atLineAlone: line => `línea ${line}`,
  atLine: (line, sentence) => `Línea ${line}: ${sentence}`,
  ofFile: (name, sentence) => `${name}: ${sentence}`,
  noTypes: 'Todavía no hay tipos de entrada',
  toTypes: 'Ir a las entradas',
  latest: 'Subidas anteriores',
  when: 'Cuándo',
  noTypesAbout:
    'Cada asistente recibe una entrada de algún tipo. Crea uno antes, o sube una exportación de pretix, Eventbrite o Hi.Events: sus tipos se pueden crear a partir de ella.',
  columnsTitle: '¿Qué es cada columna?',
  recognized: shop => `Es una exportación de ${shop}. Cada columna está ya elegida; mira si es lo correcto.`,
  columnsAbout: n => `${lines(n)} bajo el encabezado.`,
  headerLine: 'Línea con los nombres de las columnas',
  headerHelp: 'Las líneas de encima no se usan.',
  headerChoice: (line, cells) => `Línea ${line}: ${cells}`,
  useHeader: 'Usar esta línea',
  guessedEncoding:
    'El archivo no dice cómo están escritas sus letras. Mira si los nombres como José se ven bien abajo; si no, guárdalo como «CSV UTF-8».',
  columnAt: n => `Columna ${n}`,
  firstValues: column => `Primeros valores de ${column}`,
  empty: 'vacío',
  type: 'Tipo de entrada',
  typeHelp: 'Para las líneas que no digan ninguno.',
  typeOfColumn: 'El que diga la columna de cada línea',
  leftOut: 'Omitir',
  skippedColumns: n =>
    count(n, { one: 'Se omite # columna', many: 'Se omiten # de columnas', other: 'Se omiten # columnas' }),
  answer: key => `Respuesta a «${key}»`,
  check: 'Comprobar las líneas',
  fields: {
    name: 'Nombre',
    first_name: 'Nombre de pila',
    last_name: 'Apellidos',
    email: 'Correo',
    type: 'Tipo de entrada',
    quantity: 'Número de entradas',
    reference: 'Referencia propia',
    attendee_name: 'Nombre en la entrada',
    attendee_first_name: 'Nombre de pila en la entrada',
    attendee_last_name: 'Apellidos en la entrada',
    attendee_email: 'Correo en la entrada',
    seat: 'Asiento',
    language: 'Idioma',
    type_variant: 'Variante del tipo de entrada',
    order: 'Código del pedido',
    order_line: 'Número de la entrada',
    addon_to: 'Extra junto a la entrada de este número',
    status: 'Estado: quien canceló se queda fuera',
    checked_in: 'Ya entró',
    note: 'Nota para el organizador',
  },
  line: 'Línea',
  note: 'Nota',
  checking: 'Comprobando las líneas',
  importing: 'Importando asistentes',
  progress: (done, total) => `${done} de ${total}`,
  live: 'Puedes cerrar esta página: sigue adelante.',
  stop: 'Detener',
  notChecked: 'Las líneas no están comprobadas todavía.',
  failed: 'Se ha interrumpido por nuestra parte, y está en el registro. Lo añadido se queda; puedes seguir.',
  gone: 'El evento ha cambiado y esto no puede seguir. Comprueba las líneas otra vez.',
  found: n =>
    n === 0
      ? 'No hay ningún asistente nuevo.'
      : count(n, {
          one: 'Se puede importar # asistente.',
          many: 'Se pueden importar # de asistentes.',
          other: 'Se pueden importar # asistentes.',
        }),
  foundExtras: n =>
    count(n, {
      one: 'Con ellos viene # extra.',
      many: 'Con ellos vienen # de extras.',
      other: 'Con ellos vienen # extras.',
    }),
  foundExtrasAlone: n =>
    count(n, {
      one: 'Se puede importar # extra suyo.',
      many: 'Se pueden importar # de extras suyos.',
      other: 'Se pueden importar # extras suyos.',
    }),
  twice: n =>
    count(n, {
      one: '# línea se parece a otra anterior: el mismo nombre y correo. Cada línea será un asistente aparte.',
      other:
        '# líneas se parecen a otras anteriores: el mismo nombre y correo. Cada línea será un asistente aparte.',
    }),
  added: n =>
    count(n, {
      one: 'Se ha añadido # asistente.',
      many: 'Se han añadido # de asistentes.',
      other: 'Se han añadido # asistentes.',
    }),
  voided: n =>
    count(n, {
      one: '# línea se queda fuera: está cancelada, reembolsada o sin pagar.',
      many: '# de líneas se quedan fuera: están canceladas, reembolsadas o sin pagar.',
      other: '# líneas se quedan fuera: están canceladas, reembolsadas o sin pagar.',
    }),
  typesMissing: n =>
    count(n, {
      one: 'Al evento le falta # tipo de entrada que las líneas nombran.',
      many: 'Al evento le faltan # de tipos de entrada que las líneas nombran.',
      other: 'Al evento le faltan # tipos de entrada que las líneas nombran.',
    }),
  makeTypes: 'Crear los tipos de entrada',
  typesMore:
    'Hay más. Crea primero estos, y los siguientes se muestran cuando las líneas se comprueben otra vez.',
  typesOffSale: 'Para vender más entradas aquí, pon los precios de los tipos y ponlos a la venta.',
  typesTitle: 'Crear los tipos de entrada del archivo',
  typesAbout:
    'Son gratis y no están a la venta, así que nadie puede pedirlos antes de que pongas un precio en Entradas. Después, las líneas se comprueban otra vez.',
  extraHelp: n =>
    `Un extra, que solo se vende junto con una entrada. Cuántos puede haber. En el archivo hay ${count(n, { one: '#', many: '#', other: '#' })}.`,
  capacityHelp: n =>
    `Cuántas puede haber. En el archivo hay ${count(n, { one: '# entrada', many: '# de entradas', other: '# entradas' })} de este tipo.`,
  codesElsewhere: shop =>
    `Los códigos de ${shop} no dejan entrar a nadie aquí. Envía a estos asistentes sus entradas nuevas.`,
  stopped: n => `Se ha detenido: ${count(n, { one: 'queda #', other: 'quedan #' })}.`,
  notAdded: n =>
    `${count(n, { one: '# línea no se ha podido añadir', many: '# de líneas no se han podido añadir', other: '# líneas no se han podido añadir' })}: el evento ha cambiado desde la comprobación.`,
  leftWrong: (n, named) =>
    n === 1
      ? `La línea ${named} se ha dejado fuera: algo en ella está mal.`
      : `Las líneas ${named} se han dejado fuera: algo en ellas está mal.`,
  more: n => `${n} más`,
  seeWrong: 'Ver qué está mal',
  willAddExtras: n =>
    `${count(n, { one: 'Se añade # extra', many: 'Se añaden # de extras', other: 'Se añaden # extras' })} junto a sus entradas, sin asistente.`,
  importLines: n => `Importar ${lines(n)}`,
  importLinesTitle: n => `¿Importar ${lines(n)}?`,
  addedLines: n =>
    count(n, {
      one: 'Se ha añadido # línea.',
      many: 'Se han añadido # de líneas.',
      other: 'Se han añadido # líneas.',
    }),
  importN: n =>
    count(n, {
      one: 'Importar # asistente',
      many: 'Importar # de asistentes',
      other: 'Importar # asistentes',
    }),
  importTitle: n =>
    count(n, {
      one: '¿Importar # asistente?',
      many: '¿Importar # de asistentes?',
      other: '¿Importar # asistentes?',
    }),
  willAdd: n => `Cada uno recibe una inscripción confirmada y ocupa plazas: ${tickets(n)} en total.`,
  willAddLines: 'Cada uno recibe una inscripción confirmada y ocupa plazas.',
  willLeave: n =>
    `${count(n, { one: '# línea se queda fuera', many: '# de líneas se quedan fuera', other: '# líneas se quedan fuera' })}: ya están, no quedan plazas o hay un error.`,
  willNotMail: 'No se envía ningún correo.',
  willCheckIn: 'Quien ya había entrado allí consta aquí como que ha entrado.',
  willAsk:
    'Lo que se les preguntó se convierte en preguntas retiradas: a nadie se le pregunta otra vez antes de que quieras.',
  willNotDouble: 'Una línea que ya se importó no se añade otra vez.',
  changeColumns: 'Cambiar las columnas',
  another: 'Otro archivo',
  toGuests: 'Ir a los asistentes',
  download: 'Descargar las líneas que se quedan fuera',
  tabs: {
    new: 'Nuevas',
    known: 'Ya están',
    sold_out: 'Sin plazas',
    wrong: 'Con errores',
    left_out: 'Canceladas',
    added: 'Importadas',
    read: 'Sin comprobar',
  },
  tabsLabel: 'Líneas según qué pasa con ellas',
  none: {
    new: 'Ninguna línea trae un asistente nuevo',
    known: 'Ninguna línea estaba ya',
    sold_out: 'Hay plazas para todas',
    wrong: 'Ninguna línea tiene errores',
    left_out: 'Ninguna línea está cancelada, reembolsada o sin pagar',
    added: 'Todavía no se ha importado nada',
    read: 'Todas las líneas están comprobadas',
  },
  knownByReference: 'un asistente tiene su referencia',
  knownByLine: 'esta línea ya se importó',
  sameAs: line => `como la línea ${line}`,
  tickets,
  faultOf: (column, sentence) => `${column}: ${sentence}`,
  lines,
  ofLines,
}
