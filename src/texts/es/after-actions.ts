import type { afterActions as english } from '../en/after-actions.ts'

export const afterActions: Record<keyof typeof english, string> = {
  'abstract.confirm': 'Confirmó que se presenta una propuesta',
  'abstract.unconfirm': 'Anuló la confirmación de una propuesta',
  'abstract.presenter': 'Cambió quién presenta una propuesta',
  'abstract.days': 'Dijo en qué días nadie puede presentar una propuesta',
  'abstract.remind': 'Lo recordó a quienes no han confirmado',
}
