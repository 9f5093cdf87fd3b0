import type { Texts } from '../texts.ts'

export const abstractAdding: Texts['abstractAdding'] = {
  title: 'Añadir una propuesta',
  about:
    'En nombre de alguien que no puede enviarla. Aquí no cuentan las fechas de la convocatoria, cuántas puede enviar una persona ni el archivo obligatorio.',
  noCall: 'Prepara antes la convocatoria',
  noCallAbout: 'Dice de qué se compone una propuesta. No hace falta que esté abierta.',
  form: {
    you: 'Quién la envía',
    yourName: 'Nombre de la persona',
    yourEmail: 'Correo electrónico de la persona',
    yourEmailHelp:
      'Lo que tiene el mismo correo es de una sola persona, que llega a todo con el enlace que recibe.',
    yourPhone: 'Teléfono de la persona',
    me: 'Es quien la envía',
    save: 'Añadir la propuesta',
  },
  tell: 'Avisar a la persona por correo',
  tellHelp: 'Con el enlace para leer, cambiar y retirar la propuesta.',
}
