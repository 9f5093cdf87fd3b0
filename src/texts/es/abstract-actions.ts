import type { abstractActions as english } from '../en/abstract-actions.ts'

export const abstractActions: Record<keyof typeof english, string> = {
  'abstract.add': 'Añadió una propuesta',
  'abstract.decide': 'Decidió una propuesta',
  'abstract.propose': 'Planteó una decisión',
  'abstract.take_proposal_back': 'Retiró una decisión planteada',
  'abstract.submit': 'Envió una propuesta',
  'abstract.file': 'Adjuntó un archivo a una propuesta',
  'abstract.file_remove': 'Quitó el archivo de una propuesta',
  'abstract.withdraw': 'Retiró una propuesta',
  'abstract.edit': 'Cambió una propuesta',
  'abstract.reopen': 'Anuló la retirada de una propuesta',
  'abstract.confirm': 'Confirmó que se presenta una propuesta',
  'abstract.unconfirm': 'Anuló la confirmación de una propuesta',
  'abstract.presenter': 'Cambió quién presenta una propuesta',
  'abstract.days': 'Dijo en qué días nadie puede presentar una propuesta',
  'abstract.remind': 'Lo recordó a quienes no han confirmado',
}
