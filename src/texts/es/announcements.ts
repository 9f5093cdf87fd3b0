import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const announcements: Texts['announcements'] = {
  title: 'Anuncios',
  about: 'Lo que escribes a muchas personas a la vez. Los borradores no se envían a nadie.',
  caption: 'Anuncios, primero los más recientes',
  none: 'Todavía no hay anuncios',
  noneAbout: 'Escribe a todas las personas inscritas, a algunos tipos de entrada o a la lista de espera.',
  write: 'Escribir un anuncio',
  newTitle: 'Anuncio nuevo',
  editTitle: 'Editar el anuncio',
  subject: 'Asunto',
  body: 'Texto',
  state: 'Estado',
  status: { draft: 'Borrador', sent: 'Enviado', stopped: 'Detenido' },
  to: 'Para',
  when: 'Cuándo',
  group: 'Quién lo recibe',
  groupHelp:
    'Cada persona lo recibe una sola vez. Una entrada sin correo propio cuenta para quien la compró; quien se dio de baja no lo recibe.',
  groups: {
    confirmed: 'Todas las personas con una inscripción confirmada',
    checked_in: 'Quienes ya han entrado',
    not_checked_in: 'Quienes no han entrado',
    waitlist: 'La lista de espera',
    submitted: 'Todas las personas con una propuesta que sigue en pie',
    accepted: 'Quienes tienen una propuesta aceptada',
    unconfirmed: 'Quienes tienen una propuesta aceptada, y no han confirmado aunque se les pidió',
    rejected: 'Quienes tienen una propuesta no aceptada',
    reviewers: 'Todas las personas que evalúan',
    reviewing: 'Quienes evalúan y no han terminado',
  },
  datesOf: 'Asistentes de',
  datesHelp:
    'Cada correo nombra la fecha de quien lo recibe y lleva a ella. Las fechas canceladas, los borradores y las fechas que se añadan después no lo reciben.',
  dates: {
    this: 'Esta fecha',
    later: 'Esta fecha y las posteriores',
    all: 'Todas las fechas de la serie',
  },
  withOthers: 'enviado junto con otras fechas de la serie',
  reachedDates: 'En estas fechas',
  mails: (n, plural) =>
    count(plural, {
      one: 'Sale un correo.',
      many: `Salen ${n} de correos: quien asiste a varias fechas recibe uno por cada una.`,
      other: `Salen ${n} correos: quien asiste a varias fechas recibe uno por cada una.`,
    }),
  hiddenDates: n =>
    count(n, {
      one: 'Una fecha de la serie no está entre tus eventos, y sus asistentes no lo reciben.',
      many: '# de fechas de la serie no están entre tus eventos, y sus asistentes no lo reciben.',
      other: '# fechas de la serie no están entre tus eventos, y sus asistentes no lo reciben.',
    }),
  datesWithout: n =>
    count(n, {
      one: 'Una fecha no tiene ninguna de estas entradas, y sus asistentes no lo reciben.',
      many: '# de fechas no tienen ninguna de estas entradas, y sus asistentes no lo reciben.',
      other: '# fechas no tienen ninguna de estas entradas, y sus asistentes no lo reciben.',
    }),
  noOtherDates: 'Las fechas canceladas, los borradores y las fechas que se añadan después no lo reciben.',
  sendMails: (n, plural) =>
    count(plural, { one: 'Enviar un correo', many: `Enviar ${n} de correos`, other: `Enviar ${n} correos` }),
  sentWith: 'Enviado con este a otras fechas',
  stopAboutDates:
    'Lo que ya salió no se puede retirar. El resto no se envía, tampoco más tarde, en ninguna de las fechas que puedes ver.',
  types: 'Solo con estas entradas',
  typesHelp: 'No marques ninguna para incluirlas todas. No se aplica a quienes envían o evalúan propuestas.',
  allTypes: 'todas las entradas',
  saveDraft: 'Guardar el borrador',
  edit: 'Editar',
  send: 'Enviar…',
  test: 'Enviarme una prueba',
  testSubject: subject => `Prueba: ${subject}`,
  count: 'Cuántos lo reciben',
  remove: 'Borrar…',
  previewOf: name => `Tal como lo recibe ${name}.`,
  sendTitle: subject => `Enviar «${subject}»`,
  recipients: (n, plural) =>
    count(plural, {
      one: 'Lo recibe una persona.',
      many: `Lo reciben ${n} de personas.`,
      other: `Lo reciben ${n} personas.`,
    }),
  atLeast: n =>
    `Lo reciben al menos ${n} personas: hay demasiadas inscripciones para contarlas todas en una página.`,
  unsubscribed: n =>
    count(n, {
      one: 'Una persona no quiere anuncios y no lo recibe.',
      many: '# de personas no quieren anuncios y no lo reciben.',
      other: '# personas no quieren anuncios y no lo reciben.',
    }),
  cannotTakeBack: 'Un correo enviado no se puede retirar.',
  laterOnes: 'Quien se inscriba, envíe o evalúe propuestas después no lo recibe.',
  nobody: 'No lo recibiría nadie.',
  nobodyUnsubscribed: 'No lo recibiría nadie: ninguna de esas personas quiere anuncios.',
  sendSubmit: (n, plural) =>
    count(plural, {
      one: 'Enviarlo a una persona',
      many: `Enviarlo a ${n} de personas`,
      other: `Enviarlo a ${n} personas`,
    }),
  sendSubmitMany: 'Enviarlo a todas',
  removeTitle: subject => `Borrar «${subject}»`,
  removeWill: 'Se borra el borrador.',
  removeSubmit: 'Borrar el borrador',
  progress: 'Progreso',
  writing: 'Se están escribiendo sus correos. Puedes cerrar esta página: el trabajo sigue.',
  written: 'Correos escritos',
  writtenOf: (done, total) => `${done} de ${total}`,
  moreThan: n => `${n} o más`,
  goingOut: 'Sus correos salen de pocos en pocos por segundo, después de los que tratan de inscripciones.',
  allOut: 'Todos sus correos han salido o han fallado.',
  isStopped: 'Se detuvo. Lo que no había salido hasta entonces no se envía.',
  hasFailed: 'No se pudieron escribir todos sus correos. Continúa: nadie lo recibe dos veces.',
  goOn: 'Continuar',
  stop: 'Detener el envío',
  stopAbout: 'Lo que ya ha salido no se puede retirar. Lo demás no se envía, tampoco más tarde.',
  text: 'Lo que dice',
  sentBy: 'Enviado',
}
