import type { Texts } from '../texts.ts'

export const submitters: Texts['submitters'] = {
  begun: 'Empezadas, sin enviar',
  begunAbout: 'Lo que se ha escrito no se muestra aquí: no se ha enviado.',
  begunCaption: 'Empezadas y sin enviar, las más nuevas primero',
  begunNone: 'Aquí no hay nada',
  begunNoneAbout: 'Todo lo empezado se ha enviado, o todavía no se ha empezado nada.',
  person: 'Persona',
  saved: 'Guardada por última vez',
  email: 'Correo',
  all: 'Empezadas y enviadas',
  none: 'Esta persona ya no tiene nada aquí.',
  draft: saved => `Sin enviar, guardada por última vez el ${saved}`,
  moreUntil: until => `Más tiempo, hasta el ${until}`,

  time: 'Dar más tiempo…',
  timeTitle: name => `Más tiempo para ${name}`,
  timeAbout:
    'Para todo lo que esta persona ha empezado o enviado, y para nadie más. Lo que está decidido o retirado sigue cerrado.',
  until: 'Hasta',
  untilHelp: deadline =>
    `Según los relojes del cierre, que es el ${deadline}. Déjalo vacío para quitar el tiempo de más: de eso no se avisa a nadie.`,
  timeSubmit: 'Guardar',

  renew: 'Renovar el enlace…',
  renewTitle: name => `¿Renovar el enlace de ${name}?`,
  renewWill: email => [
    'Los enlaces de todos los correos anteriores ya no llevarán a ninguna parte.',
    'Las páginas abiertas con ellos ya no se podrán guardar.',
    `Se envía un enlace nuevo a ${email}.`,
  ],
  renewSubmit: 'Renovar el enlace',

  correct: 'Corregir el correo…',
  correctTitle: name => `Corregir el correo de ${name}`,
  correctAbout:
    'Se avisa al correo nuevo, con un enlace nuevo, y al anterior, sin enlace. Los enlaces antiguos ya no llevan a ninguna parte. También cambia el contacto de sus propuestas; los autores siguen como están.',
  correctSubmit: 'Corregir el correo',
}
