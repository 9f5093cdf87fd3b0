import { tellProblem } from '../tell-problem.ts'
import type { Texts } from '../texts.ts'
import { abstracts } from './abstracts.ts'
import { events } from './events.ts'
import { count } from './page.ts'
import { problems } from './problems.ts'

const plural = { accepted: 'aceptadas', rejected: 'rechazadas', in_review: 'en revisión' }

export const flash: Texts['flash'] = {
  refused: refusal => tellProblem({ problems }, refusal),
  setUp: ({ name }) => `${name} está preparada. Crea tu primer evento.`,
  joined: ({ name }) => `Ya estás dentro: ${name}.`,
  passwordChosen: () => 'Tu contraseña nueva está guardada. Inicia sesión con ella.',
  eventCreated: ({ title }) => `«${title}» está creado como borrador.`,
  eventMoved: ({ title, status }) => `«${title}» está ahora: ${events.status[status].toLowerCase()}.`,
  eventSaved: ({ title }) => `«${title}» está guardado.`,
  abstractDecided: ({ title, decision }) =>
    `«${title}» está ahora: ${abstracts.status[decision].toLowerCase()}.`,
  abstractsDecided: ({ decision, count: n }) =>
    `${count(n, { one: '# propuesta está', other: '# propuestas están' })} ahora: ${n === 1 ? abstracts.status[decision].toLowerCase() : plural[decision]}.`,
}
