import { english, type Sentences } from '#base/faults.ts'
import type { FormFaults } from '../en/faults.ts'
import { count } from './page.ts'

const characters = (max: number) =>
  count(max, { one: '# carácter', many: '# de caracteres', other: '# caracteres' })

const ofForms: FormFaults = {
  required: () => 'Rellena esto.',
  integer: ({ min, max }) => `Escribe un número entero de ${min} a ${max}.`,
  length: ({ min, max }) =>
    min > 1 ? `Caben de ${min} a ${characters(max)}.` : `Caben como mucho ${characters(max)}.`,
  maxLength: ({ max }) => `Caben como mucho ${characters(max)}.`,
  blank: () => 'Rellena esto.',
  visible: () => 'Escribe algo que se vea.',
  controlCharacters: () => 'Contiene caracteres que no se pueden mostrar.',
  combiningMarks: () => 'Hay demasiados signos sobre una letra.',
  addressInName: ({ found }) =>
    `Un nombre no lleva una dirección web, y «${found}» se lee como una: quítala.`,
  email: () => 'Escribe una dirección de correo, como grace@example.org.',
  orcid: () => 'Escribe el ORCID iD como en 0000-0002-1825-0097 y comprueba cada cifra.',
  slug: ({ max }) => `Usa de la a a la z, cifras y guiones, ${max} como mucho.`,
  timezone: ({ example }) => `Elige una zona horaria, como ${example}.`,
  colour: ({ example }) => `Indica un color con # y seis cifras, como ${example}.`,
  origin: ({ example }) =>
    `Indica cada sitio con https:// y su nombre, como ${example}: sin ruta, sin * y sin otro protocolo.`,
  currency: ({ example }) => `Elige una moneda, como ${example}.`,
  unknown: () => 'Esto no se pregunta aquí.',
  repeated: () => 'Responde una sola vez.',
  wellFormed: () => 'Contiene caracteres que no se pueden guardar.',
  calendarDate: ({ example }) => `Escribe una fecha, como ${example}.`,
  placeNumber: ({ example }) => `Escribe un número del programa, como ${example}.`,
  decimal: () => 'Escribe un número, como 12 o 12,5, sin separadores de miles.',
  phone: ({ example }) => `Escribe un número de teléfono, como ${example}.`,
  code: ({ min, max }) =>
    min === 0
      ? `Usa letras de la A a la Z, cifras, - y _, como mucho ${max}.`
      : `Usa de ${min} a ${max} letras de la A a la Z, cifras, - y _.`,
  contradicts: () => 'No va junto con el otro: deja uno de los dos vacío.',
  choices: ({ max }) =>
    `Escribe cada opción en una línea: como mucho ${max}, cada una una vez y ninguna con una coma antes de un espacio.`,
  list: ({ min, max }) => (min === 0 ? `Escribe como mucho ${max}.` : `Escribe de ${min} a ${max}.`),
  oneOf: () => 'Elige una de las que hay.',
  unchosen: () => 'Elige una respuesta.',
  webhookUrl: () => 'Escribe una dirección https, sin usuario ni contraseña.',
  webAddress: () => 'Escribe la dirección de una página, como https://example.org/about.',
  iban: () => 'No es un IBAN: hay una cifra mal, falta o sobra alguna.',
  noPicture: () => 'No es una imagen que muestren los navegadores: elige un archivo PNG, JPEG o WebP.',
  pictureTooHeavy: ({ max }) => `La imagen ocupa más de ${Math.floor(max / 1024 / 1024)} MB.`,
  pictureTooLarge: ({ side, all }) =>
    `La imagen tiene demasiados píxeles: como mucho ${side} por lado y ${Math.floor(all / 1_000_000)} millones en total.`,
  noPdf: () => 'No es un PDF. Guárdalo como PDF y elige ese archivo.',
  cutPdf: () => 'Este PDF no tiene final: está cortado. Guárdalo otra vez y elige ese archivo.',
  fileTooHeavy: ({ max }) => `El archivo ocupa más de ${Math.floor(max / 1024 / 1024)} MB.`,
  before: () => 'Es antes de su comienzo: elige algo posterior.',
  noEventType: () => 'Elige al menos uno.',
  placeholders: ({ values }) => `Usa solo ${values.map(name => `{${name}}`).join(', ')}.`,
  twice: () => 'Otro ya tiene esto.',
  workbook: () => 'Es un libro de cálculo. Guarda la hoja como CSV y elige ese archivo.',
  unreadableWorkbook: () =>
    'Este libro de cálculo no se puede leer. Guárdalo como .xlsx sin contraseña, o la hoja como CSV, y elige ese archivo.',
  unreadableExport: () =>
    'Esta exportación de pretix no se puede leer hasta el final. Exporta allí otra vez los datos de los pedidos (JSON), o sus posiciones como CSV.',
  unpackedBytes: ({ max }) =>
    `Descomprimido ocupa más de ${Math.floor(max / 1024 / 1024)} MB. Guarda la hoja como CSV e impórtala por partes.`,
  noText: () => 'No es una tabla: no es texto, como lo es un archivo CSV.',
  encoding: ({ encoding }) => `Empieza como ${encoding} y no sigue así. Guárdalo como «CSV UTF-8».`,
  noHeader: () => 'Una línea debe nombrar las columnas, como Nombre y Correo.',
  noLines: () => 'No hay ninguna línea bajo los nombres de las columnas.',
  openQuote: () => 'Hay unas comillas sin cerrar, o dentro de una celda y sin duplicar.',
  lineTooLong: ({ max }) =>
    `Esta línea tiene más de ${characters(max)}, como cuando unas comillas no se cierran.`,
  tooManyLines: ({ max }) =>
    `Tiene más de ${count(max, { one: '# línea', many: '# de líneas', other: '# líneas' })}. Impórtalo por partes.`,
  tooManyColumns: ({ max }) => `Tiene más de ${max} columnas.`,
  tooManyBytes: ({ max }) => `Ocupa más de ${Math.floor(max / 1024 / 1024)} MB. Impórtalo por partes.`,
  otherFormat: ({ format }) => `Es ${format}. Descárgalo de tu banco como CSV y elige ese archivo.`,
  noStatement: () => 'No contiene una tabla con fechas e importes, como el CSV de un banco.',
  otherColumns: ({ values }) =>
    `El archivo tiene otras columnas que el anterior: le falta ${values.join(', ')}. Indica de nuevo qué es cada columna.`,
  amountText: ({ example }) => `No es un importe, como ${example}.`,
  ambiguous: ({ values }) => `Puede ser ${values.join(' o ')}. Indica cómo lo escribe el archivo.`,
}

export const faults: Sentences = { ...english, ...ofForms }
