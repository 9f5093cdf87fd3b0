import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const look: Texts['look'] = {
  title: 'Aspecto',
  logo: 'Logotipo',
  logoAbout:
    'En la cabecera de tus páginas, correos y entradas, y en las pestañas de los navegadores. Va sobre blanco, para que también se lea en modo oscuro.',
  noLogo: 'No hay ninguno: en su lugar está el nombre.',
  isOfOrganization: 'Es el logotipo de tu organización.',
  addLogo: 'Subir un logotipo',
  replaceLogo: 'Cambiarlo',
  removeLogo: 'Quitarlo',
  file: 'Archivo',
  fileHelp:
    'PNG, JPEG o WebP, de 1 MB y 4096 píxeles por lado como máximo. Bastan 480 × 144 píxeles; los mayores se reducen.',
  upload: 'Subir',
  uploadLater: dates =>
    count(dates, {
      one: 'Subir para esta fecha y la posterior (#)',
      other: 'Subir para esta fecha y las posteriores (#)',
    }),
  removeLater: dates =>
    count(dates, {
      one: 'Quitarlo también de la fecha posterior (#)',
      other: 'Quitarlo también de las fechas posteriores (#)',
    }),
  colourFrom: 'Color de enlaces y botones',
  account: { above: 'El azul de Turnout', own: 'Un color propio' },
  event: { above: 'El de la organización', own: 'Un color propio' },
  colour: 'Color',
  colourHelp:
    'Se oscurece o se aclara donde no se podría leer: cada enlace y cada botón tiene contraste suficiente, en modo claro y en modo oscuro.',
  samples: 'Lo que resulta del color guardado:',
  light: 'En modo claro',
  dark: 'En modo oscuro',
  button: 'Inscribirse',
}
