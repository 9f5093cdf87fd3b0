import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const jobs: Texts['jobs'] = {
  state: {
    preparing: 'Llegando',
    waiting: 'En espera',
    running: 'En marcha',
    done: 'Terminado',
    failed: 'Fallido',
    stopped: 'Parado',
  },
  progress: 'Progreso',
  doneOf: (done, total) => `${done} de ${total}`,
  doneSoFar: done => `${done} hasta ahora`,
  outcome: 'Resultado',
  beginsAt: (at: string) => `Empezará el ${at}.`,
  goesOn: 'Puedes cerrar esta página: el trabajo sigue. La página se actualiza sola.',
  stop: 'Parar',
  stopAbout: 'Lo hecho queda hecho.',
  isStopped: 'Se paró. Lo hecho hasta entonces queda hecho.',
  hasFailed: 'No pudo seguir. Lo hecho hasta entonces queda hecho.',
  work: 'Trabajo en segundo plano',
  offering: 'Se ofrecen plazas a quienes esperan',
  back: 'Volver a los asistentes',
  cancelling: n =>
    `Cancelar ${count(n, { one: '# inscripción', many: '# de inscripciones', other: '# inscripciones' })}`,
  refundingEvent: 'Devolviendo a todo el mundo',
  refunded: 'Pedidos cuyo dinero se devuelve',
  endedFree: 'Pedidos e inscripciones terminados sin dinero',
  byHand: 'Devoluciones por hacer a mano',
  cancelled: 'Canceladas',
  ticketsVoided: 'Entradas anuladas',
  keptPaid: 'Pagadas: se quedan hasta su reembolso',
  keptCancelled: 'Ya canceladas',
  keptOther: 'Fallidas o reembolsadas: se quedan',
}
