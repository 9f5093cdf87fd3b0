import { tellProblem } from '../tell-problem.ts'
import type { Texts } from '../texts.ts'
import { events } from './events.ts'
import { problems } from './problems.ts'

export const flash: Texts['flash'] = {
  refused: refusal => tellProblem({ problems }, refusal),
  setUp: ({ name }) => `${name} está preparada. Crea tu primer evento.`,
  joined: ({ name }) => `Ya estás dentro: ${name}.`,
  passwordChosen: () => 'Tu contraseña nueva está guardada. Inicia sesión con ella.',
  eventCreated: ({ title }) => `«${title}» está creado como borrador.`,
  eventMoved: ({ title, status }) => `«${title}» está ahora: ${events.status[status].toLowerCase()}.`,
  eventSaved: ({ title }) => `«${title}» está guardado.`,
  webhookAdded: ({ host }) => `El webhook a ${host} está añadido. La prueba está en camino.`,
  webhookSaved: ({ host }) => `El webhook a ${host} está guardado.`,
  webhookEnabled: ({ host }) => `El webhook a ${host} está activado.`,
  webhookDisabled: ({ host }) => `El webhook a ${host} está desactivado.`,
  webhookPinged: () => 'La prueba está en camino. Su respuesta llega aquí.',
  webhookRotated: ({ until }) => `Hay un secreto nuevo. El anterior también firma hasta ${until}.`,
  webhookRemoved: ({ host }) => `El webhook a ${host} está eliminado.`,
  webhookRemoving: ({ host }) =>
    `El webhook a ${host} no recibe nada más. Se le envió mucho: tarda un momento en desaparecer del todo.`,
  deliveryRetried: () => 'Otro intento está en camino. Su respuesta llega aquí.',
  systemBackup: () => 'La copia ha empezado.',
  systemBusy: () => 'Ya está en marcha.',
  systemCheck: () => 'La comprobación ha empezado.',
}
