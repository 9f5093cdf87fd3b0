import { countingIn } from '../counting.ts'
import type { Texts } from '../texts.ts'

export const count = countingIn('es')

export const page: Texts['page'] = {
  product: 'Turnout',
  skip: 'Ir al contenido',
  more: 'Más',
  save: 'Guardar',
  leave: 'Dejarlo',
  back: 'Volver',
  search: 'Buscar',
  filter: 'Filtrar',
  apply: 'Aplicar',
  any: 'Cualquiera',
  all: 'Todo',
  select: 'Seleccionar',
  selectAll: 'Seleccionar todo en esta página',
  undo: 'Deshacer',
  copy: 'Copiar',
  copied: 'Copiado',
  download: 'Descargar',
  asTable: 'Como tabla',
  yes: 'Sí',
  no: 'No',
  none: 'Ninguno',
  never: 'Nunca',
  optional: '(puede quedar vacío)',
  wrongTime: 'Escribe una fecha y una hora.',
  skippedTime: 'Los relojes se saltan esta hora: se adelantan. Elige otra, antes o después.',
  wrongMoney: currency => `Escribe un importe en ${currency}, como 15 o 15,00.`,
  wrongPercent: max => `Escribe un porcentaje de 0 a ${max}, como 2,5.`,
  print: 'Imprimir',
  errorPrefix: 'Error: ',
  errors: n => count(n, { one: 'Hay que revisar una cosa', other: 'Hay que revisar # cosas' }),
  newest: 'Lo más reciente',
  older: 'Anteriores',
  first: 'Primeros',
  next: 'Siguientes',
  pages: 'Páginas',
  removeFilter: ', quitar este filtro',
  shown: n => count(n, { one: '# a la vista', other: '# a la vista' }),
  timesIn: zone => `Horas de ${zone}.`,
  changedMeanwhile: 'otra persona también lo ha cambiado',
  changedByOthers: theirs =>
    theirs === ''
      ? 'Alguien ha vaciado esto mientras escribías. Si guardas otra vez, queda lo tuyo.'
      : `Alguien ha cambiado esto a «${theirs}» mientras escribías. Si guardas otra vez, queda lo tuyo.`,
  yourAccount: name => `${name}: tu cuenta`,
  characters: n => count(n, { one: '# carácter', other: '# caracteres' }),
  tickets: n => count(n, { one: '# entrada', many: '# de entradas', other: '# entradas' }),
}
