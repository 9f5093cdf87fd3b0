import { count } from './page.ts'

export const decisionMails = {
  kind: (name: string) => `Se ha aceptado como: ${name}.`,
  confirm: (until: string) =>
    `Confirma, por favor, antes del ${until} que vienes: la página de tu propuesta tiene un botón para ello. Allí también puedes retirarla si no puedes venir.`,
  registration: (code: string) =>
    `Para inscribirte, escribe el código ${code} en la página del evento. Es solo para ti y vale para una entrada.`,
  comments: 'Lo que te escribieron quienes la revisaron está en la página de tu propuesta.',
}

export const decisionSending = {
  title: 'Enviar decisiones',
  about:
    'Lo propuesto pasa a ser la decisión y se avisa a cada persona. Hasta entonces solo lo sabe quien preside.',
  none: 'Ninguna decisión espera a ser enviada',
  noneAbout: 'Propón antes decisiones en la tabla de propuestas.',
  toTable: 'Ir a la tabla',
  settings: 'Qué se dice a quienes enviaron propuestas',
  confirm_by: 'Pedir que confirmen las propuestas aceptadas antes del',
  confirm_byHelp: 'Se les recuerda tres días y un día antes. Si queda vacío, no se pide a nadie.',
  comments: 'Pueden leer lo que les escribieron quienes revisaron',
  commentsHelp: 'En la página de su propuesta, sin nombres ni puntuaciones.',
  presenters: 'Avisar también a quien la presenta',
  presentersHelp:
    'El contacto de una propuesta recibe su enlace. Quien la presenta recibe el mismo correo sin el enlace.',
  codes: 'Códigos de inscripción',
  code: 'Dar a cada propuesta aceptada un código de inscripción',
  codeHelp: 'Para una entrada. El correo lo dice.',
  percent: 'Porcentaje de descuento',
  percentHelp: 'Si queda vacío, el código solo muestra entradas ocultas.',
  types: 'Entradas para las que vale',
  typesHelp: 'Ninguna marcada: todas.',
  until: 'Vale hasta',
  at: 'Enviar el',
  atHelp: 'Si queda vacío, se envían en el acto.',
  past: 'Elige un momento que esté por llegar.',
  early: 'Elige un momento posterior al envío.',
  show: 'Mostrar los correos',
  wrong: 'Corrige lo que se les dice y después envía.',
  will: {
    accepted: (n: number) => count(n, { one: '# propuesta se acepta.', other: '# propuestas se aceptan.' }),
    rejected: (n: number) => count(n, { one: '# propuesta se rechaza.', other: '# propuestas se rechazan.' }),
  },
  mailed: (n: number) => count(n, { one: '# correo sale.', other: '# correos salen.' }),
  noMail:
    'No sale ningún correo, porque este servidor no tiene correo configurado. Las páginas de las propuestas muestran la decisión.',
  now: 'Se envían en el acto. Lo enviado no se puede deshacer.',
  later: (at: string) => `Se envían el ${at}. Hasta entonces puedes detenerlo.`,
  kept: 'Lo que se retire hasta entonces queda fuera.',
  submit: (n: number) => count(n, { one: 'Enviar # decisión', other: 'Enviar # decisiones' }),
  mails: 'Los correos',
  mailsAbout: (from: string, to: string, all: string) => `Del ${from} al ${to} de ${all}`,
  to: (email: string) => `Para ${email}`,
  toPresenter: (email: string) => `Para ${email}, sin el enlace`,
  toNobody: 'Ningún correo: los datos del contacto se borraron.',
  codeHere: '(un código propio)',
  earlier: 'Correos anteriores',
  further: 'Más correos',
  underWay: 'Se están enviando las decisiones',
  scheduled: (at: string) => `Las decisiones se envían el ${at}`,
  progress: (done: string, total: string) => `${done} de ${total}`,
  stop: 'Detener',
  stopAbout: 'Lo que aún no se ha enviado sigue propuesto como antes.',
  ended: {
    done: 'Se enviaron las decisiones',
    failed: 'El envío de las decisiones se interrumpió',
    stopped: 'Se detuvo el envío de las decisiones',
  },
  outcome: (accepted: string, rejected: string, mails: string) =>
    `Aceptadas: ${accepted}. Rechazadas: ${rejected}. Correos: ${mails}.`,
  failedAbout: 'Lo que aún no se ha enviado sigue propuesto como antes. Puedes enviarlo otra vez.',
}
