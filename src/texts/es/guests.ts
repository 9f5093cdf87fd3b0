import type { Texts } from '../texts.ts'
import { count } from './page.ts'

const people = (n: number) => count(n, { one: '# persona', many: '# de personas', other: '# personas' })
const tickets = (n: number) => count(n, { one: '# entrada', many: '# de entradas', other: '# entradas' })
const registrations = (n: number) =>
  count(n, { one: '# inscripción', many: '# de inscripciones', other: '# inscripciones' })

export const guests: Texts['guests'] = {
  title: 'Asistentes',
  caption: 'Inscripciones, las más recientes primero',
  search: 'Nombre, correo, referencia o código de entrada',
  states: 'Estado',
  status: {
    pending: 'Pendiente',
    confirmed: 'Confirmada',
    failed: 'Fallida',
    refunded: 'Reembolsada',
    cancelled: 'Cancelada',
  },
  countedAre: 'Estas cifras cuentan inscripciones. Cada línea de abajo es una entrada de una inscripción.',
  counted: (n, isMore) => (isMore ? `+${n}` : n),
  buyer: 'Comprador',
  tickets: 'Entradas',
  state: 'Estado',
  type: 'Tipo de entrada',
  registered: 'Inscripción',
  ofType: (quantity, type) => `${quantity} × ${type}`,
  selectOne: name => `Seleccionar a ${name}`,
  none: 'Todavía no hay asistentes',
  noneAbout:
    'Aquí está quien se inscribe, con sus entradas. También puedes añadir asistentes a mano, o importar una lista.',
  nobody: 'No se ha encontrado a nadie',
  nobodyAbout: 'Prueba con menos letras, con otra pestaña o sin algún filtro.',
  noneHere: 'Ninguna de las que ha mirado esta página. Hay anteriores.',
  add: 'Añadir asistente',
  import: 'Importar',
  xlsx: 'Descargar esto para Excel',
  csv: 'Descargar esto como CSV',
  csvWithLinks: 'Lo mismo con enlaces a las entradas',
  scope: 'Cuáles',
  ticked: 'Las marcadas',
  thisPage: 'Todas las de esta página',
  allMatching: n => `Todas las que coinciden: ${n}`,
  cancelMany: 'Cancelar…',

  confirmMany: n => (n === 0 ? 'No hay nada que cancelar' : `¿Cancelar ${registrations(n)}?`),
  nothingToCancel: 'Ninguna de estas se puede cancelar.',
  submitMany: n => `Cancelar ${registrations(n)}`,
  ticketsVoided: n => `${count(n, { one: '# entrada queda anulada', other: '# entradas quedan anuladas' })}.`,
  extrasToo: n =>
    `${count(n, { one: 'Se cancela también # inscripción de extras', other: 'Se cancelan también # inscripciones de extras' })}, pues no queda ninguna entrada junto a ellas.`,
  extrasStay:
    'Lo que se tomó junto con ella se queda y se sigue entregando. Si también se va, ábrelo y cancélalo o reembólsalo por separado:',
  placesFreed: n => `${count(n, { one: 'Se libera # plaza', other: 'Se liberan # plazas' })}.`,
  someWait: (n, isMore) =>
    `${isMore ? `Más de ${people(n)} esperan` : count(n, { one: '# persona espera', other: '# personas esperan' })} entradas así: se avisa a quienes quepan, primero a quien más lleva esperando.`,
  nobodyWaits: 'Nadie espera estas plazas.',
  keptPaid: n =>
    `${count(n, { one: '# inscripción pagada se queda', other: '# inscripciones pagadas se quedan' })}: se cancelan junto con su reembolso.`,
  keptCancelled: n => `${count(n, { one: '# ya estaba cancelada', other: '# ya estaban canceladas' })}.`,
  keptOther: n =>
    `${count(n, { one: '# fallida o reembolsada se queda', other: '# fallidas o reembolsadas se quedan' })} como está.`,
  moreMatch: n =>
    `Coinciden más de las que se cancelan de una vez: estas son las ${count(n, { one: '# más reciente', other: '# más recientes' })}. Vuelve después por las demás.`,

  registration: 'Inscripción',
  edit: 'Editar',
  cancel: 'Cancelar…',
  erase: 'Borrar datos personales…',
  name: 'Nombre',
  buyerName: 'Nombre del comprador',
  buyerEmail: 'Correo del comprador',
  email: 'Correo electrónico',
  seat: 'Asiento',
  language: 'Idioma',
  source: 'Origen',
  sources: { api: 'A mano, importada o por la API', checkout: 'Compra en línea' },
  reference: 'Referencia',
  worth: 'Valor',
  paid: 'Pagado',
  refunded: 'Importe reembolsado',
  answers: 'Respuestas',
  answersOfEach: 'Respuestas de cada entrada',
  onlyFor: types => `Se pregunta para: ${types}.`,
  sameNames: 'Una entrada con el mismo nombre o el mismo correo cambia también.',
  order: 'Pedido',
  noAnswers: 'No se han pedido, o no se han dado.',
  note: 'Nota',
  noteHelp: 'Solo para tu equipo.',
  noNote: 'Ninguna.',
  writeNote: 'Escribir una',
  anonymous: at => `Los datos del comprador se borraron el ${at}. Ya no se puede cambiar nada.`,
  ticket: 'Entrada',
  noName: 'Sin nombre',
  valid: 'Aún no ha llegado',
  notHandedOut: 'Aún sin entregar',
  handedOut: 'Entregado',
  void: 'Anulada',
  checkedIn: 'Ha llegado',
  action: 'Acción',
  checkIn: 'Registrar llegada',
  checkInOf: name => `Registrar llegada: ${name}`,
  handOut: 'Entregar',
  handOutOf: name => `Entregar: ${name}`,
  undoCheckIn: 'Deshacer…',
  undoCheckInOf: name => `Deshacer la llegada: ${name}`,
  undoTitle: name => `¿Deshacer la llegada de ${name}?`,
  undoAbout: 'La entrada vuelve a servir.',
  undoSubmit: 'Deshacer la llegada',
  reason: 'Motivo',
  reasonHelp: 'Queda en el registro de accesos.',
  undoneAtOnce: 'Deshecho al momento',

  timeline: 'Qué ha pasado',
  by: actor => `por ${actor}`,
  actors: {
    buyer: 'quien compró',
    holder: 'quien tiene la entrada',
    submitter: 'quien la envió',
    reviewer: 'quien la revisa',
    cli: 'la línea de órdenes',
    key: name => `la clave de API «${name}»`,
    formerKey: 'una clave de API',
    former: 'alguien que ya no está',
  },
  happened: {
    created: 'Inscripción hecha',
    confirmed: 'Confirmada',
    cancelled: 'Cancelada: las entradas quedan anuladas',
    refunded: 'Reembolsada',
    erased: 'Datos personales borrados',
    linksRenewed: 'Enlaces renovados',
    checkedIn: name => `Llegada de ${name}`,
    undone: name => `Llegada de ${name}, deshecha`,
    amended: fields => `Cambios: ${fields}`,
    cancelRefused: 'No se pudo cancelar',
    changeRefused: 'No se pudo cambiar',
    checkInRefused: name => `No se registró la llegada de ${name}`,
    other: action => `Otra cosa: ${action}`,
  },
  fields: {
    buyerName: 'nombre del comprador',
    buyerEmail: 'correo del comprador',
    language: 'idioma',
    note: 'nota',
    answer: key => `respuesta «${key}»`,
    ticketName: n => `nombre de la entrada ${n}`,
    ticketEmail: n => `correo de la entrada ${n}`,
    ticketSeat: n => `asiento de la entrada ${n}`,
  },

  editTitle: name => `Editar a ${name}`,
  ticketNumber: n => `Entrada ${n}`,
  ticketOf: (n, all) => `entrada ${n} de ${all}`,
  nameOf: n => `Nombre de la entrada ${n}`,
  answersLeftOut: n =>
    `En este formulario caben las respuestas de ${count(n, { one: 'una entrada', other: '# entradas' })}.`,
  emailOf: n => `Correo de la entrada ${n}`,
  seatOf: n => `Asiento de la entrada ${n}`,

  cancelTitle: name => `¿Cancelar la inscripción de ${name}?`,
  cancelSubmit: 'Cancelar la inscripción',
  alreadyIn: n => `${count(n, { one: '# ya ha llegado', other: '# ya han llegado' })}, y así queda.`,
  nobodyNotified: 'No se avisa a nadie de la lista de espera.',
  waitlistNotified: n => `Se avisa a ${people(n)} de la lista de espera.`,

  eraseTitle: name => `¿Borrar los datos personales de ${name}?`,
  eraseAbout: (email, account) =>
    `Todo lo que ${account} tiene de ${email}, en todos sus eventos. No se puede deshacer.`,
  eraseBought: n =>
    n === 0
      ? 'Esta persona no ha comprado nada.'
      : `${registrations(n)}: se borran el nombre, el correo, las respuestas y la nota.`,
  eraseTickets: n => `${tickets(n)}: se borran el nombre y el correo. El código sigue sirviendo.`,
  eraseOthers: n =>
    `${tickets(n)} de otras personas en las mismas inscripciones ${n === 1 ? 'queda' : 'quedan'} como está${n === 1 ? '' : 'n'}.`,
  eraseWaiting: n =>
    `${count(n, { one: 'Se borra # puesto', other: 'Se borran # puestos' })} de la lista de espera.`,
  eraseAbstracts: n =>
    `${count(n, { one: '# propuesta deja', other: '# propuestas dejan' })} de nombrar a la persona.`,
  eraseSubmitted: (drafts, files) =>
    `Los enlaces a las propuestas dejan de servir; se borran ${count(drafts, { one: '# borrador', other: '# borradores' })} y ${count(files, { one: '# archivo', other: '# archivos' })} de propuestas.`,
  eraseReviewers: n =>
    count(n, {
      one: 'Como revisor de # evento: el enlace deja de servir, y lo terminado se queda.',
      other: 'Como revisor de # eventos: los enlaces dejan de servir, y lo terminado se queda.',
    }),
  eraseKeeps: 'El dinero, las cuentas, los estados, los asientos y los códigos se quedan.',
  eraseOther: 'Otra persona de esta inscripción',
  eraseSubmit: 'Borrar datos personales',

  newTitle: 'Añadir asistente',
  newSubmit: 'Añadir',
  noTypes: 'Todavía no hay entradas',
  noTypesAbout: 'Un asistente tiene una entrada de algún tipo: crea antes una.',
  toTickets: 'A las entradas',
  typeLeft: (name, left) =>
    left > 0 ? `${name} (${left === 1 ? 'queda' : 'quedan'} ${left})` : `${name} (agotada)`,
  quantity: 'Entradas',
  names: 'Nombres',
  namesHelp:
    'Uno por línea, con el correo detrás de una coma si lo sabes: habrá tantas entradas como nombres. Vacío, todas van a nombre del comprador.',
  wrongLine: (n, why) =>
    why === undefined
      ? `La línea ${n} no es un nombre, ni un nombre, una coma y un correo.`
      : `Línea ${n}: ${why}`,
  tooManyNames: max => `Como mucho ${max} nombres.`,
}
