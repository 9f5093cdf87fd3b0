import type { Texts } from '../texts.ts'
import { count } from './page.ts'

/** The programme of an event: rooms, sessions, and what stands in them. */
export const timetable: Texts['timetable'] = {
  title: 'Programa',
  about:
    'Salas, sesiones y las propuestas aceptadas que hay en ellas. Nadie más lo ve antes de que se publique.',
  aboutPublished: version =>
    `El público ve la versión ${version}. Lo que cambies aquí lo verá cuando vuelvas a publicar.`,
  none: 'Todavía no hay ninguna sesión',
  noneAbout:
    'Añade una sesión y pon en ella propuestas aceptadas. Lo que no encaja se señala, y aun así puedes guardarlo todo.',
  zone: zone => `Horas de ${zone}.`,
  days: 'Días',
  noRoom: 'Aún sin sala',
  noSlots: 'Todavía no hay nada en esta sesión.',
  chairs: 'Moderación',
  poster: 'Póster',
  minutes: n => count(n, { one: '# minuto', many: '# de minutos', other: '# minutos' }),
  overview: 'Sesiones por sala',
  dragHint: 'Con el ratón también puedes arrastrar lo que hay en una sesión, y propuestas hasta una sesión.',

  warnings: n => count(n, { one: '# aviso', many: '# de avisos', other: '# avisos' }),
  manyWarnings: most => `${most} avisos o más`,
  warningsTitle: 'Avisos',
  warningsAbout: 'Nada de esto está prohibido: puedes dejarlo como está.',
  noWarnings: 'No hay nada que señalar.',
  allWarnings: 'Ver todos los avisos',
  ticketless: n => count(n, { one: '# ponente sin entrada', other: '# ponentes sin entrada' }),
  ticketlessTitle: 'Sin entrada',
  ticketlessAbout: 'Hasta que se venden entradas, son todos.',
  marked: 'Revisa esto',
  spot: (name, at) => `«${name}» (${at})`,
  warning: {
    person: (who, one, other) => `${who} está en dos sitios a la vez: ${other} y ${one}.`,
    walk: (who, one, other) => `${who} tiene menos de diez minutos de una sala a otra: de ${other} a ${one}.`,
    room: (room, one, other) => `${room} se usa dos veces a la vez: para ${other} y para ${one}.`,
    long: (session, minutes) => `${session} ocupa ${minutes} más de los que tiene la sesión.`,
    withdrawn: what => `${what} se ha retirado.`,
    not_accepted: what => `${what} ya no está aceptada.`,
    unconfirmed: what => `Se pidió confirmación a los autores de ${what}, y todavía no han confirmado.`,
    unavailable: (what, day) => `Nadie puede presentar ${what} el ${day}.`,
    unregistered: (what, who) => `${who} no tiene entrada, y presenta ${what}.`,
  },

  unplaced: n =>
    count(n, {
      one: 'Sin sitio todavía: # propuesta',
      many: 'Sin sitio todavía: # de propuestas',
      other: 'Sin sitio todavía: # propuestas',
    }),
  unplacedNone: 'Todas las propuestas aceptadas tienen su sitio.',
  unplacedNoneHere: 'No queda ninguna de este tema y este tipo.',
  topic: 'Tema',
  kind: 'Tipo',
  anyTopic: 'Todos los temas',
  anyKind: 'Todos los tipos',
  noTopic: 'Sin tema',
  show: 'Mostrar',
  showAll: n =>
    count(n, {
      one: 'Mostrar todas: # propuesta',
      many: 'Mostrar todas: # de propuestas',
      other: 'Mostrar todas: # propuestas',
    }),
  place: 'Colocar…',
  placeName: title => `Colocar ${title}`,
  placeTitle: 'Colocar una propuesta',
  placeInto: 'Sesión',
  placeSubmit: 'Colocarla',
  notAccepted: 'Esta propuesta no está aceptada, así que ninguna sesión la admite.',
  noSessions: 'Todavía no hay ninguna sesión: añade antes una.',

  rooms: 'Salas',
  roomsAbout: 'El programa las muestra en este orden.',
  roomsNone: 'Todavía no hay ninguna sala',
  roomsNoneAbout: 'Las sesiones pueden quedarse sin sala hasta que la sepas.',
  roomsFull: most => `Un evento tiene como mucho ${most} salas.`,
  newRoom: 'Añadir una sala',
  room: 'Sala',
  name: 'Nombre',
  sessionsOf: n => count(n, { one: '# sesión', many: '# de sesiones', other: '# sesiones' }),
  up: name => `Subir ${name}`,
  down: name => `Bajar ${name}`,
  addRoom: 'Añadirla',
  removeRoom: 'Quitar…',
  removeRoomTitle: name => `¿Quitar ${name}?`,
  removeRoomWill: n =>
    n === 0
      ? 'Allí no hay ninguna sesión.'
      : count(n, {
          one: 'Allí hay # sesión. Se queda, sin sala.',
          many: 'Allí hay # de sesiones. Se quedan, sin sala.',
          other: 'Allí hay # sesiones. Se quedan, sin sala.',
        }),
  removeRoomSubmit: 'Quitar la sala',

  newSession: 'Añadir una sesión',
  addSession: 'Añadirla',
  changeSession: 'Cambiar la sesión',
  sessionTitle: 'Título',
  begins: 'Comienzo',
  beginsHelp: 'Lo que hay en la sesión la sigue, cada parte después de la anterior.',
  ends: 'Final',
  chairsHelp: most =>
    `Una persona por línea, como mucho ${most}, y tras una coma su correo, si lo sabes: «Grace Hopper, grace@example.org».`,
  wrongChair: line => `Esta línea no tiene nombre: «${line}».`,
  tooManyChairs: most => `Escribe ${most} como mucho.`,
  aboutSession: 'Sobre la sesión',
  aboutSessionHelp: 'Aparece encima de lo que hay en la sesión.',
  removeSession: 'Quitar…',
  removeSessionTitle: name => `¿Quitar ${name}?`,
  removeSessionWill: n =>
    n === 0
      ? 'No hay nada en ella.'
      : count(n, {
          one: 'Con ella se va # parte. Una propuesta se puede colocar en otro sitio.',
          many: 'Con ella se van # de partes. Las propuestas se pueden colocar en otro sitio.',
          other: 'Con ella se van # partes. Las propuestas se pueden colocar en otro sitio.',
        }),
  removeSessionSubmit: 'Quitar la sesión',

  contents: 'Lo que hay en ella',
  over: time => `Acaba a las ${time}.`,
  spare: n => count(n, { one: 'Queda # minuto.', many: 'Quedan # de minutos.', other: 'Quedan # minutos.' }),
  addAbstracts: 'Añadir propuestas',
  addText: 'Añadir un texto',
  addAbstractsAbout:
    'Cada una recibe los minutos de su tipo, que puedes cambiar. Los pósteres están durante toda la sesión.',
  toAdd: 'Propuestas aceptadas',
  every: n => count(n, { one: 'La # que aparece aquí', other: 'Las # que aparecen aquí' }),
  placedToo: 'Mostrar también las que tienen sitio',
  notPlacedOnly: 'Mostrar solo las que no tienen sitio',
  addNone: 'No hay ninguna propuesta aceptada sin sitio.',
  addSubmit: 'Añadirlas',
  text: 'Texto',
  textHelp: 'Por ejemplo, «Bienvenida» o «Pausa para el café».',
  length: 'Minutos',
  lengthHelp: most => `De 0 a ${most}. Con 0 tiene toda la sesión, como un póster.`,
  addTextSubmit: 'Añadirlo',
  change: 'Cambiar',
  changeName: name => `Cambiar ${name}`,
  changeTitle: 'Cambiar una parte',
  session: 'Sesión',
  sessionHelp: 'En otra sesión queda al final.',
  remove: 'Quitar',
  removeName: name => `Quitar ${name}`,
}
