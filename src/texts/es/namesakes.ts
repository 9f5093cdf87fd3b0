import { count } from './page.ts'

export const namesakes = {
  title: 'Autores que quizá sean una sola persona',
  about:
    'El índice de autores y los avisos toman a dos personas por una según su ORCID iD, si no según su correo, y si no según su nombre y primera afiliación. En estos casos puede ser un error. Lo que digas aquí no cambia ninguna propuesta.',
  none: 'No hay dudas sobre nadie',
  noneAbout:
    'No hay autores de propuestas aceptadas que compartan un nombre o un correo y que puedan ser dos.',
  counted: { one: 'Cuentan como una persona.', two: 'Cuentan como dos personas.' },
  judged: {
    one: 'Cuentan como una persona, según la coordinación.',
    two: 'Cuentan como dos personas, según la coordinación.',
  },
  one: 'Son una persona',
  two: 'Son dos personas',
  takeBack: 'Deshacerlo',
  link: (n: number) =>
    count(n, {
      one: '# pareja de autores quizá sea una sola persona',
      other: '# parejas de autores quizá sean una sola persona cada una',
    }),
}
