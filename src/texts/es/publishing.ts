import { count } from './page.ts'

export const publishing = {
  title: 'Publicar el programa',
  open: 'Publicar…',
  about: 'Los visitantes ven la última versión publicada, por mucho que aquí se cambie entretanto.',
  none: 'Todavía no hay nada que publicar',
  noneAbout: 'Añade primero una sesión al programa.',
  isPublic: (number: number, at: string) => `La versión ${number} es pública desde el ${at}.`,
  isNotPublic: 'Ninguna versión es pública.',
  see: 'Verlo como los visitantes',
  submit: 'Publicar',
  upToDate: 'Todo está publicado tal como está aquí.',
  will: {
    added: (n: number) =>
      count(n, {
        one: '# contribución es nueva en el programa.',
        other: '# contribuciones son nuevas en el programa.',
      }),
    moved: (n: number) =>
      count(n, { one: '# contribución cambia de lugar.', other: '# contribuciones cambian de lugar.' }),
    removed: (n: number) =>
      count(n, { one: '# contribución sale del programa.', other: '# contribuciones salen del programa.' }),
    others: 'Cambian sesiones, pausas u otros textos.',
    mailed: (n: number) =>
      count(n, {
        one: 'Los autores de # contribución reciben un correo con su hora y lugar.',
        other: 'Los autores de # contribuciones reciben un correo con su hora y lugar.',
      }),
    mailedGone: (n: number) =>
      count(n, {
        one: 'Los autores de # contribución reciben un correo: ya no tiene lugar.',
        other: 'Los autores de # contribuciones reciben un correo: ya no tienen lugar.',
      }),
    mailedAgain: 'Quien aún no había recibido su correo cuando se retiró el programa lo recibe ahora.',
    mailedNobody: 'Nadie recibe un correo.',
    noMail: 'Este servidor aún no envía correos: esperan hasta que lo haga.',
    draft: 'El evento es un borrador. Solo los miembros ven el programa hasta que se publique el evento.',
  },
  warnings: 'Ver los avisos',
  changes: 'Qué cambia',
  groups: { added: 'Nuevas', moved: 'Cambiadas de lugar', removed: 'Retiradas del programa' },
  more: (n: number) => count(n, { one: 'y # más', other: 'y # más' }),
  fromTo: (from: string, to: string) => `de ${from} a ${to}`,
  downloads: 'Para llevar',
  downloadsAbout: 'Tal como se publicaría ahora, con todos los textos.',
  book: 'Libro de resúmenes (HTML)',
  csv: 'Programa (CSV)',
  zip: (n: number) =>
    count(n, { one: '# archivo de los autores (ZIP)', other: '# archivos de los autores (ZIP)' }),
  texts: 'Textos de las propuestas',
  textsChange: 'Cambiarlo…',
  textsNow: 'Son públicos con el programa.',
  textsAt: (at: string) => `Son públicos a partir del ${at}. Los títulos y autores lo son antes.`,
  textsTitle: 'Cuándo son públicos los textos de las propuestas',
  textsFrom: 'Públicos desde',
  textsFromHelp:
    'Si queda vacío, los textos son públicos con el programa. Los títulos y autores lo son siempre.',
  textsSave: 'Guardar',
  unpublish: 'Retirarlo…',
  unpublishTitle: '¿Retirar el programa?',
  unpublishWill:
    'Los visitantes dejan de ver el programa, y su dirección dice que no es público en este momento. Nadie recibe un correo.',
  unpublishSubmit: 'Retirarlo',
  unpublishLeave: 'Dejarlo público',
}
