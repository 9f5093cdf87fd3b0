import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const abstractImports: Texts['abstractImports'] = {
  title: 'Añadir propuestas desde un archivo',
  about:
    'Una hoja de cálculo (.xlsx) o un archivo CSV con una propuesta por línea. No se añade nada antes de que veas lo que se añadiría.',
  file: 'Archivo',
  fileHelp: 'Como mucho, 5000 líneas. La primera línea da nombre a las columnas.',
  read: 'Leer el archivo',
  columns: 'Las columnas',
  columnsAbout:
    'La plantilla las tiene todas. También sirve un archivo exportado de otro sistema, si sus columnas se llaman como estas.',
  template: 'Descargar la plantilla',
  columnHelp: {
    reference:
      'Opcional: sirve para reconocer una línea. Sin ella, se reconoce por su título y su primer autor.',
    title: 'El título.',
    text: 'El texto.',
    section: heading => `La parte del texto con este encabezado: ${heading}`,
    question:
      'La respuesta a esta pregunta, o nada. Sí y no se escriben yes y no; un país, con su código, como ES.',
    keywords: 'Separadas por comas.',
    topic: 'Uno de los temas de la convocatoria, tal como está escrito allí.',
    kind: 'Uno de los tipos de la convocatoria, tal como está escrito allí.',
    language: 'El del texto, por su código, como en o es. Si está vacío, es el de esta página.',
    authors:
      'Uno tras cada punto y coma: Ada Lovelace <0000-0002-1825-0097> [1, 2]. Entre ángulos va un ORCID iD o un correo; entre corchetes, los números de las afiliaciones.',
    affiliations: 'Una tras cada punto y coma: 1 Instituto de las Salas, Madrid; 2 Academia, Lima.',
    presenter:
      'El número o el nombre de quien presenta. Si está vacío, es quien lleva un asterisco en el nombre o, si no, el primero.',
    name: 'Quién la envía. Si está vacío, es el primer autor.',
    email: 'El correo de quien la envía. Si está vacío, es el del primer autor.',
    phone: 'Opcional.',
  },
  unnamed: 'Un archivo',
  found: n => count(n, { one: 'Se añadiría # propuesta.', other: 'Se añadirían # propuestas.' }),
  nothing: 'De este archivo no se añadiría nada.',
  added: n => count(n, { one: 'Se ha añadido # propuesta.', other: 'Se han añadido # propuestas.' }),
  adding: 'Se están añadiendo las propuestas',
  progress: (done, total) => `${done} de ${total}`,
  live: 'Esta página muestra cómo avanza.',
  stop: 'Parar',
  stopped: 'Se paró. Lo añadido se queda.',
  failed: 'Se interrumpió. Lo añadido se queda y puedes seguir.',
  addN: n => count(n, { one: 'Añadir # propuesta', other: 'Añadir # propuestas' }),
  addTitle: n => count(n, { one: '¿Añadir # propuesta?', other: '¿Añadir # propuestas?' }),
  will: n =>
    count(n, {
      one: 'Se añade # propuesta como recibida, sean cuales sean las fechas de la convocatoria.',
      other: 'Se añaden # propuestas como recibidas, sean cuales sean las fechas de la convocatoria.',
    }),
  willLeave: n => count(n, { one: '# línea queda fuera.', other: '# líneas quedan fuera.' }),
  willNotDouble: 'Lo que ya está no se añade otra vez, tampoco si el archivo vuelve a llegar.',
  tell: 'Avisar a las personas por correo',
  tellHelp: 'Cada una recibe un correo por propuesta, con el enlace para leerla, cambiarla y retirarla.',
  tabsLabel: 'Qué pasa con las líneas',
  tabs: { new: 'Por añadir', known: 'Ya están', wrong: 'Con errores', added: 'Añadidas' },
  none: 'No hay ninguna línea así.',
  line: 'Línea',
  lineAt: line => `Línea ${line}`,
  name: 'Título',
  note: 'Nota',
  open: 'Abrir la propuesta',
  sameAs: line => `Dice lo mismo que la línea ${line}.`,
  notOffered: value => `«${value}» no es ninguna de las opciones.`,
  faultOf: (name, sentence) => `${name}: ${sentence}`,
  another: 'Otro archivo',
}
