import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const questions: Texts['questions'] = {
  title: 'Preguntas',
  caption: 'Preguntas, en el orden en que se hacen',
  retiredCaption: 'Preguntas que ya no se hacen a nadie',
  about: {
    orders: 'Lo que preguntas al hacer un pedido, además del nombre y el correo.',
    abstracts:
      'Lo que preguntas a los autores además del texto. Los revisores solo ven las respuestas que marques para ellos.',
  },
  newQuestion: 'Nueva pregunta',
  preview: 'Vista previa del formulario',
  none: 'Todavía no hay preguntas',
  noneAbout: {
    orders: 'Pregunta por dietas, tallas o empresas: una vez por pedido o por cada entrada.',
    abstracts:
      'Pregunta a los autores lo que necesitas además del texto: conflictos de intereses, el permiso de un comité, un premio.',
  },
  label: 'Pregunta',
  labelHelp: 'Tal como la lee la gente: «¿Tienes alguna alergia?»',
  key: 'Clave',
  keyHelp:
    'El nombre de su columna en los informes y en la API. Si la dejas vacía, se forma con la pregunta.',
  keyKept: 'El nombre de su columna en los informes y en la API. Cuando hay respuestas, ya no cambia.',
  help: 'Ayuda',
  helpHelp: 'Una frase debajo de la pregunta.',
  kind: 'Tipo de respuesta',
  kinds: {
    text: 'Un texto corto',
    long_text: 'Un texto largo',
    one_of: 'Una de varias opciones',
    several_of: 'Varias opciones',
    yes_no: 'Sí o no',
    date: 'Una fecha',
    number: 'Un número',
    phone: 'Un número de teléfono',
    country: 'Un país',
  },
  choices: 'Opciones',
  choicesHelp: 'Una por línea. Solo para los dos tipos con opciones.',
  required: 'Hay que responderla',
  scope: 'Se pregunta',
  scopeOf: { order: 'Una vez por pedido', ticket: 'Por cada entrada', abstract: 'Por cada propuesta' },
  forReviewers: 'Los revisores ven la respuesta',
  forReviewersHelp:
    'Se avisa a los autores. En una revisión ciega, una respuesta con palabras puede delatar quién ha escrito la propuesta: si puedes, pide una opción, un número o un sí. Cuando hay respuestas, ya no se puede marcar.',
  types: 'Solo para estas entradas',
  typesHelp: 'Sin marcar ninguna: para todas.',
  noTypes: 'ya ningún tipo de entrada',
  order: 'Posición',
  must: 'Obligatoria',
  may: 'Opcional',
  create: 'Añadir la pregunta',
  retire: 'Retirar',
  askAgain: 'Volver a preguntar',
  remove: 'Quitar…',
  removeTitle: name => `¿Quitar «${name}»?`,
  removeSubmit: 'Quitar la pregunta',
  removeNobody: 'Nadie la ha respondido.',
  removeForGood: 'Desaparece para siempre.',
  cannotRemove: name => `«${name}» no se puede quitar`,
  answered: 'Ya tiene respuestas.',
  insteadRetire: 'Mejor retírala: no se pregunta a nadie más y las respuestas se conservan.',
  previewAbout: 'Así la ve quien hace un pedido. Pruébala: no se guarda nada.',
  previewType: 'Entrada',
  previewShow: 'Mostrar el formulario',
  ofOrder: 'Tu pedido',
  ofTicket: number => `Entrada ${number}`,
  check: 'Comprobar las respuestas',
  good: answers =>
    answers === 0
      ? 'El formulario está bien. No tiene respuestas.'
      : `El formulario está bien, con ${count(answers, { one: '# respuesta', many: '# de respuestas', other: '# respuestas' })}:`,
  noQuestions: 'Para esta entrada no se pregunta nada.',
  yes: 'Sí',
  no: 'No',
}
