import type { guestActions as english } from '../en/guest-actions.ts'

export const guestActions: Record<keyof typeof english, string> = {
  'import.check': 'Indicó qué es cada columna',
  'import.start': 'Empezó una importación de asistentes',
  'import.stop': 'Paró una importación de asistentes',
  'import.upload': 'Subió asistentes',
  'guests.forget': 'Olvidó a los asistentes de un evento que acabó hace mucho',
  'person.erase': 'Borró los datos personales de una persona',
}
