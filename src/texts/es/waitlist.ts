import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const waitlist: Texts['waitlist'] = {
  caption: 'Quién espera, desde quien lleva más tiempo',
  about:
    'Cuando se devuelve una entrada, se avisa a quien lleva más tiempo esperando. No se guarda sitio a nadie.',
  aboutHeld:
    'Cuando se devuelve una entrada, se guarda para quien lleva más tiempo esperando, hasta que responda. Las entradas de pago se guardan si hay una forma de pagarlas; si no, se avisa a quienes las esperan.',
  none: 'No espera nadie',
  noneAbout: 'Cuando se agota una entrada, la gente puede dejar su nombre. Aquí están por orden de llegada.',
  noneOfType: 'Nadie espera esta entrada.',
  name: 'Nombre',
  type: 'Entrada',
  since: 'Desde',
  sinceThen: when => `desde el ${when}`,
  waiting: 'Esperando',
  notified: 'Avisada',
  held: 'Guardada',
  heldUntil: when => `hasta el ${when}`,
  taken: 'Aceptada',
  notTaken: 'No aceptada',
  action: 'Acción',
  remove: 'Quitar…',
  removeOf: name => `Quitar… a ${name}`,
  removeTitle: name => `¿Quitar a ${name} de la lista de espera?`,
  removeSubmit: 'Quitar de la lista de espera',
  removeWaits: (quantity, type) =>
    `Pierde para siempre su puesto en la cola para ${count(quantity, { one: '# entrada', many: '# de entradas', other: '# entradas' })} «${type}».`,
  removeNotifies: 'Esto no avisa a nadie.',
}
