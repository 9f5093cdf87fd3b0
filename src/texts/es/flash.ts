import { describeProblem } from '../describe-problem.ts'
import type { Texts } from '../texts.ts'
import { abstracts } from './abstracts.ts'
import { checkIn } from './check-in.ts'

import { doors } from './doors.ts'
import { events } from './events.ts'
import { count } from './page.ts'
import { problems } from './problems.ts'

const plural = { accepted: 'aceptadas', rejected: 'rechazadas', in_review: 'en revisión' }

export const flash: Texts['flash'] = {
  refused: refusal => describeProblem({ problems }, refusal),
  orderApproved: ({ reference }) => `El pedido ${reference} está aprobado.`,
  orderPaid: ({ reference }) => `El pedido ${reference} está pagado y confirmado.`,
  orderPaidLate: () => 'Anotado. El pedido se queda como estaba: hay que devolver el dinero.',
  amountReturned: ({ reference }) => `El dinero se devuelve, y el pedido ${reference} ha terminado.`,
  orderCancelled: ({ reference }) => `El pedido ${reference} está cancelado.`,
  orderDeclined: ({ reference }) => `El pedido ${reference} está rechazado.`,
  offerResent: () => 'La oferta va de camino.',
  orderResent: () => 'Las entradas van de camino.',
  orderVerified: () => 'Las entradas van de camino a los demás.',
  linksRenewed: () => 'Los enlaces se han renovado. Envía las entradas otra vez.',
  refundRetried: () => 'Se intenta de nuevo.',
  refundDropped: () => 'La devolución queda descartada.',
  disputeKept: () => 'Las entradas siguen siendo válidas.',
  disputeCredited: ({ number }) =>
    `La nota de crédito ${number} está hecha y las entradas elegidas, anuladas.`,
  refundPaidBack: () => 'Queda anotado como devuelto.',
  refundAsked: () => 'El dinero va de vuelta.',
  refundByHand: () =>
    'Ahora devuelve el dinero. Está en «Dinero por devolver» hasta que digas que ya lo has hecho.',
  ticketExchanged: () => 'La entrada está cambiada. Esta es la nueva.',
  badgesUndone: ({ n }) =>
    count(n, { one: '# credencial está sin imprimir.', other: '# credenciales están sin imprimir.' }),
  ticketsVoid: ({ n }) =>
    `${count(n, { one: 'Se ha anulado # entrada', other: 'Se han anulado # entradas' })}.`,
  setUp: ({ name }) => `${name} está preparada. Crea tu primer evento.`,
  joined: ({ name }) => `Ya estás dentro: ${name}.`,
  passwordChosen: () => 'Tu contraseña nueva está guardada. Inicia sesión con ella.',
  lineMatched: () => 'La línea está asignada.',
  lineIgnored: () => 'La línea está descartada.',
  lineRestored: () => 'La línea está otra vez por decidir.',
  lineUnmatched: () => 'La asignación está deshecha.',
  shownOnce: () =>
    'Eso ya estaba hecho. Lo que mostraba solo se muestra una vez: si te falta, crea uno nuevo.',
  memberSaved: ({ name }) => `${name}: guardado.`,
  memberRemoved: ({ name }) => `${name} ya no está en el equipo.`,
  invitationRevoked: ({ email }) => `La invitación de ${email} ya no sirve.`,
  accountSaved: () => 'Los ajustes están guardados.',
  legalUnfinished: () =>
    'Los ajustes están guardados. El aviso de privacidad aún tiene pasajes entre corchetes: se ven en la página hasta que los completes.',
  keyRevoked: ({ name }) => `La clave «${name}» ya no sirve.`,
  profileSaved: () => 'Guardado.',
  passwordChanged: () => 'Tu contraseña nueva está guardada. En los demás sitios se ha cerrado la sesión.',
  secondFactorOff: () => 'La verificación en dos pasos está desactivada.',
  sessionEnded: () => 'Esa sesión está cerrada.',
  othersEnded: () => 'Todas tus otras sesiones están cerradas.',
  eventCreated: ({ title }) => `«${title}» está creado como borrador.`,
  eventMoved: ({ title, status }) =>
    `${title} ${status === 'draft' ? 'es un borrador' : `está ${events.status[status].toLowerCase()}`}.`,
  guestAdded: ({ name }) => `Inscripción hecha: ${name}.`,
  ticketsSent: ({ name, tickets }) =>
    tickets === 1 ? `La entrada de ${name} va de camino.` : `Las entradas de ${name} van de camino.`,
  guestSaved: ({ name }) => `La inscripción de ${name} está guardada.`,
  guestCancelled: ({ name }) => `La inscripción de ${name} está cancelada.`,
  personErased: () => 'Los datos de la persona son ya anónimos en todo lo que hay.',
  checkedIn: ({ name }) => `Llegada registrada: ${name}.`,
  handedOut: () => 'Está entregado.',
  checkInUndone: ({ name }) => `Llegada deshecha: ${name}.`,
  jobStopped: () => 'Está parado.',
  nobodyTold: () => 'No se avisa a nadie de ese cambio.',
  eventSaved: ({ title }) => `«${title}» está guardado.`,
  pictureSaved: () => 'La imagen está en la página.',
  pictureRemoved: () => 'La imagen ya no está.',
  logoSaved: () => 'El logotipo está en su sitio.',
  logoRemoved: () => 'El logotipo ya no está.',
  eventArchived: ({ title }) => `«${title}» está archivado. Su página sigue como está.`,
  eventListed: ({ title }) => `«${title}» vuelve a estar en la lista.`,
  eventDeleting: ({ title }) =>
    `«${title}» se está borrando: ya nadie lo ve, y lo que tenía desaparece en los próximos minutos.`,
  eventDeleted: ({ title }) => `«${title}» está borrado.`,
  eventRepeated: ({ name, dates }) =>
    `«${name}» tiene ${count(dates, { one: '# borrador nuevo', other: '# borradores nuevos' })}. Míralos y publícalos.`,
  seriesPublished: ({ dates }) =>
    count(dates, { one: '# fecha está publicada.', other: '# fechas están publicadas.' }),
  seriesSaved: ({ name }) => `«${name}» está guardada.`,
  eventDuplicated: ({ title }) => `«${title}» está creado como borrador. Mira sus fechas.`,
  ticketAdded: ({ name }) => `«${name}» está añadido.`,
  savedWithLater: ({ name, dates }) =>
    count(dates, {
      one: `«${name}» está guardado, también en # fecha posterior.`,
      other: `«${name}» está guardado, también en # fechas posteriores.`,
    }),
  addedWithLater: ({ name, dates }) =>
    count(dates, {
      one: `«${name}» está añadido, también a # fecha posterior.`,
      other: `«${name}» está añadido, también a # fechas posteriores.`,
    }),
  ticketSaved: ({ name }) => `«${name}» está guardado.`,
  ticketRemoved: ({ name }) => `«${name}» está quitado.`,
  questionSaved: ({ name }) => `«${name}» está guardada.`,
  questionRetired: ({ name }) => `«${name}» ya no se pregunta. Sus respuestas se conservan.`,
  questionAsked: ({ name }) => `«${name}» se vuelve a preguntar.`,
  codesMade: ({ count: n }) =>
    count(n, {
      one: 'Se ha creado # código.',
      many: 'Se han creado # de códigos.',
      other: 'Se han creado # códigos.',
    }),
  codeOff: ({ name }) => `«${name}» ya no funciona.`,
  codeOn: ({ name }) => `«${name}» vuelve a funcionar.`,
  typeMoved: ({ name, direction }) =>
    direction === 'up' ? `«${name}» está ahora más arriba.` : `«${name}» está ahora más abajo.`,
  admitted: ({ name }) => `${checkIn.admitted}: ${name}`,
  turnedAway: ({ name, ...refusal }) =>
    [
      refusal.code === 'already_checked_in' ? checkIn.alreadyUsed : checkIn.notAdmitted,
      name || describeProblem({ problems }, refusal),
    ].join(': '),
  notInside: ({ name }) => checkIn.notInside(name),
  doorChanged: ({ name }) =>
    `La puerta «${name}» está cambiada. Su teléfono lo sabrá la próxima vez que hable con el servidor.`,
  doorRevoked: ({ name }) => `La puerta «${name}» está revocada.`,
  scanUndone: ({ name }) => `La lectura de ${name} está deshecha.`,
  scanDismissed: ({ name }) => `La lectura de ${name} está descartada.`,
  scanCounts: ({ name, outcome }) =>
    `La lectura de ${name} cuenta ahora: ${doors.outcomes[outcome].toLowerCase()}.`,
  scanSeen: ({ name }) => `La lectura de ${name} está apartada.`,
  offWaitlist: ({ name }) => `${name} ya no está en la lista de espera.`,
  roomSaved: ({ name }) => `La sala «${name}» está guardada.`,
  roomMoved: ({ name }) => `La sala «${name}» se ha movido.`,
  roomRemoved: ({ name }) => `La sala «${name}» se ha quitado.`,
  sessionSaved: ({ name }) => `La sesión «${name}» está guardada.`,
  sessionRemoved: ({ name }) => `La sesión «${name}» se ha quitado.`,
  programmePublished: ({ number }) => `La versión ${number} del programa es pública.`,
  programmeUnpublished: () => 'El programa ya no es público.',
  programmeTextsSaved: () => 'Está guardado.',
  namesakesJudged: () => 'Está guardado.',
  slotsAdded: ({ n }) =>
    n === 0
      ? 'Eso ya está en la sesión.'
      : count(n, {
          one: 'Se ha añadido # parte.',
          many: 'Se han añadido # de partes.',
          other: 'Se han añadido # partes.',
        }),
  slotSaved: ({ name }) => `«${name}» está guardado.`,
  slotMoved: ({ name }) => `«${name}» se ha movido.`,
  slotRemoved: ({ name }) => `«${name}» ya no está en la sesión.`,
  reviewSaved: () => 'La revisión está guardada.',
  reviewersInvited: ({ n }) =>
    n === 0
      ? 'Todas esas personas ya estaban invitadas.'
      : count(n, { one: '# persona está invitada.', other: '# personas están invitadas.' }),
  reviewsAssigned: ({ n }) =>
    count(n, { one: '# revisión está asignada.', other: '# revisiones están asignadas.' }),
  reviewersReminded: ({ n }) =>
    n === 0
      ? 'No se envía ningún recordatorio: todas han terminado o lo recibieron hace menos de un día.'
      : count(n, { one: '# revisor recibe un recordatorio.', other: '# revisores reciben un recordatorio.' }),
  reviewerRenewed: () => 'El enlace nuevo está en camino.',
  reviewerRemoved: ({ name }) => `${name} está fuera de la revisión.`,
  abstractGiven: () => 'La propuesta está asignada.',
  abstractTaken: () => 'La propuesta está quitada.',
  moreTimeGiven: ({ name }) => `Se avisa a ${name} del nuevo plazo.`,
  moreTimeTaken: ({ name }) => `Para ${name} vuelve a valer el cierre de todos.`,
  linkRenewed: ({ name }) => `${name} recibirá un enlace nuevo.`,
  emailCorrected: ({ name }) => `El correo de ${name} está corregido, y se avisa a las dos direcciones.`,
  abstractConfirmed: ({ title }) => `${title} está confirmada.`,
  abstractUnconfirmed: ({ title }) => `Se ha anulado la confirmación de ${title}.`,
  unconfirmedReminded: ({ n }) =>
    n === 0
      ? 'No se recuerda a nadie: han confirmado todas las personas.'
      : `Se recuerda a las personas de ${count(n, { one: '# propuesta', other: '# propuestas' })}, salvo a quienes ya se les recordó en el último día.`,
  abstractReopened: ({ title }) => `${title} vuelve a contar, y se avisa a quien la envió.`,
  abstractEdited: ({ title }) => `${title} está cambiada, y se avisa a quien la envió.`,
  callSaved: () => 'La convocatoria de propuestas está guardada.',
  abstractAdded: ({ title, code }) => `Se ha añadido ${title}. Su código es ${code}.`,
  abstractDecided: ({ title, decision }) => `${title} está ${abstracts.status[decision].toLowerCase()}.`,
  sendingStopped: () => 'Detenido. Lo que no se había enviado sigue propuesto como antes.',
  abstractsDecided: ({ decision, count: n }) =>
    `${count(n, { one: '# propuesta está', other: '# propuestas están' })} ${n === 1 ? abstracts.status[decision].toLowerCase() : plural[decision]}.`,
  abstractsProposed: ({ count: n, left }) =>
    [
      count(n, {
        one: 'Queda guardado lo planteado para # propuesta. Todavía no se avisa a nadie.',
        other: 'Queda guardado lo planteado para # propuestas. Todavía no se avisa a nadie.',
      }),
      ...(left === 0 ? [] : [count(left, { one: '# quedó fuera.', other: '# quedaron fuera.' })]),
    ].join(' '),
  proposalsTaken: ({ count: n, left }) =>
    [
      count(n, {
        one: 'Se ha retirado lo planteado para # propuesta.',
        other: 'Se ha retirado lo planteado para # propuestas.',
      }),
      ...(left === 0 ? [] : [count(left, { one: '# quedó fuera.', other: '# quedaron fuera.' })]),
    ].join(' '),
  mailRetried: () => 'Se envía de nuevo. Aquí aparecerá qué ha sido de él.',
  textSaved: () => 'El texto está guardado. Los correos lo dicen desde ahora.',
  textOurs: () => 'Los correos vuelven a llevar el texto estándar.',
  announcementSaved: () => 'El borrador está guardado. Todavía no se envía nada.',
  announcementTested: ({ email }) => `Se envía una prueba a ${email}.`,
  announcementRemoved: () => 'El borrador está borrado.',
  announcementStopped: () => 'Está detenido. No se envía nada más.',
  stripeConnected: ({ account }) => `Stripe está conectado: ${account}.`,
  delayedOffered: () => 'Los métodos que tardan días se ofrecen desde ahora.',
  delayedEnded: () => 'Los métodos que tardan días ya no se ofrecen.',
  stripeDisconnected: () => 'Stripe está desconectado.',
  eventsSeen: () => 'Anotado.',
  bankSaved: () => 'La cuenta bancaria se ha guardado.',
  bankRemoved: () => 'La cuenta bancaria se ha quitado.',
  orphanRefunding: () => 'El dinero se devuelve en un minuto.',
  orphanLeft: () => 'Queda atendido.',
  webhookAdded: ({ host }) => `El webhook a ${host} está añadido. La prueba está en camino.`,
  webhookSaved: ({ host }) => `El webhook a ${host} está guardado.`,
  webhookEnabled: ({ host }) => `El webhook a ${host} está activado.`,
  webhookDisabled: ({ host }) => `El webhook a ${host} está desactivado.`,
  webhookPinged: () => 'La prueba está en camino. Su respuesta llega aquí.',
  webhookRotated: ({ until }) => `Hay un secreto nuevo. El anterior también firma hasta ${until}.`,
  webhookRemoved: ({ host }) => `El webhook a ${host} está borrado.`,
  webhookRemoving: ({ host }) =>
    `El webhook a ${host} no recibe nada más. Se le envió mucho: tarda un momento en desaparecer del todo.`,
  deliveryRetried: () => 'Otro intento está en camino. Su respuesta llega aquí.',
  systemBackup: () => 'La copia ha empezado.',
  systemBusy: () => 'Ya está en marcha.',
  resetMailed: _ =>
    'Si alguien entra con ese correo, el enlace está en camino. Mira también en el correo no deseado.',
  mailTested: _ => 'Hay un correo de prueba en camino.',
  mailLetGo: _ => 'Los correos vuelven a salir.',
  systemCheck: () => 'La comprobación ha empezado.',
  systemHealth: () => 'El chequeo ha empezado.',
}
