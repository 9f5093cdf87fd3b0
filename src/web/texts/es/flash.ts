import type { Texts } from '../texts.ts'
import { tellProblem } from '../tell-problem.ts'
import { problems } from './problems.ts'

export const flash: Texts['flash'] = {
  refused: refusal => tellProblem({ problems }, refusal),
  eventCreated: ({ title }) => `«${title}» está creado como borrador.`,
  eventSaved: ({ title }) => `«${title}» está guardado.`,
}
