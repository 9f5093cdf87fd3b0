import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const deletion: Texts['deletion'] = {
  title: title => `¿Borrar «${title}»?`,
  cannot: title => `«${title}» no se puede borrar`,
  submit: 'Borrar el evento',
  typeName: 'Nombre del evento',
  typeNameHelp: title => `Escribe «${title}», para que no se borre por error.`,
  goes: 'Con él se borra:',
  gone: {
    registrations: n => count(n, { one: '# inscripción', other: '# inscripciones' }),
    tickets: n => count(n, { one: '# entrada', other: '# entradas' }),
    check_ins: n => count(n, { one: '# acreditación', other: '# acreditaciones' }),
    scans: n => count(n, { one: '# lectura en una puerta', other: '# lecturas en las puertas' }),
    orders: n =>
      count(n, {
        one: '# pedido: los enlaces que tiene su comprador dejan de funcionar',
        other: '# pedidos: los enlaces que tienen los compradores dejan de funcionar',
      }),
    waitlist: n =>
      count(n, { one: '# persona en la lista de espera', other: '# personas en la lista de espera' }),
    abstracts: n => count(n, { one: '# propuesta', other: '# propuestas' }),
    files: n => count(n, { one: '# archivo de una propuesta', other: '# archivos de propuestas' }),
    mails: n => count(n, { one: '# correo en Mensajes', other: '# correos en Mensajes' }),
    waiting_mails: n =>
      count(n, {
        one: '# correo que todavía no ha salido, y ya no saldrá',
        other: '# correos que todavía no han salido, y ya no saldrán',
      }),
    announcements: n => count(n, { one: '# anuncio', other: '# anuncios' }),
    doors: n => count(n, { one: '# puerta', other: '# puertas' }),
    types: n => count(n, { one: '# tipo de entrada', other: '# tipos de entrada' }),
    codes: n => count(n, { one: '# código', other: '# códigos' }),
    import_lines: n =>
      count(n, {
        one: '# línea de una lista de asistentes importada',
        other: '# líneas de listas de asistentes importadas',
      }),
  },
  atLeast: what => `Al menos ${what}`,
  page: 'Su página, sus ajustes, sus preguntas y sus textos',
  forGood: 'No se puede deshacer. El registro de accesos guarda que el evento existió y quién lo borró.',
  elsewhere:
    'Los webhooks enviados y las copias de seguridad guardan lo que tienen hasta que vence su plazo.',
  instead:
    'Archívalo: deja de estar en tu lista de eventos y todo lo que tiene sigue como está. Se puede deshacer.',
  isArchived: 'Está archivado: en tu lista solo aparece en Archivados.',
}
