import { english, type Sentences } from '../../../faults.ts'
import type { FormFaults } from '../en/faults.ts'
import { count } from './page.ts'

const characters = (max: number) =>
  count(max, { one: '# carácter', many: '# de caracteres', other: '# caracteres' })

const ofForms: FormFaults = {
  required: () => 'Rellena esto.',
  integer: ({ min, max }) => `Escribe un número entero de ${min} a ${max}.`,
  length: ({ min, max }) =>
    min > 1 ? `Caben de ${min} a ${characters(max)}.` : `Caben como mucho ${characters(max)}.`,
  maxLength: ({ max }) => `Caben como mucho ${characters(max)}.`,
  blank: () => 'Rellena esto.',
  visible: () => 'Escribe algo que se vea.',
  controlCharacters: () => 'Contiene caracteres que no se pueden mostrar.',
  combiningMarks: () => 'Hay demasiados signos sobre una letra.',
  email: () => 'Escribe una dirección de correo, como grace@example.org.',
  slug: ({ max }) => `Usa de la a a la z, cifras y guiones, ${max} como mucho.`,
  timezone: ({ example }) => `Elige una zona horaria, como ${example}.`,
  currency: ({ example }) => `Elige una moneda, como ${example}.`,
  oneOf: () => 'Elige una de las que hay.',
  webhookUrl: () => 'Escribe una dirección https, sin usuario ni contraseña.',
  before: () => 'Es antes de su comienzo: elige algo posterior.',
  noEventType: () => 'Elige al menos uno.',
}

export const faults: Sentences = { ...english, ...ofForms }
