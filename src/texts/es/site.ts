import type { Texts } from '../texts.ts'

export const site: Texts['site'] = {
  origins: 'Sitios que pueden mostrar tus páginas',
  originsHelp:
    'Uno por línea, 10 como máximo, cada uno con https:// y sin nada detrás de su nombre, como https://www.example.org. Nadie más puede mostrar tus entradas en un marco.',
  snippets: 'Tus fechas en tu propio sitio',
  noOrigins:
    'Primero indica arriba la dirección de tu sitio y guárdala: hasta entonces los navegadores no muestran allí ningún marco.',
  noOriginsYet:
    'Los navegadores todavía no muestran ningún marco: tu organización no ha indicado ningún sitio propio.',
  dialog: 'Un enlace',
  dialogAbout:
    'Un enlace que abre un cuadro sobre tu página. Donde los scripts están bloqueados, es un enlace a tu página de aquí.',
  inline: 'Un marco',
  inlineAbout:
    'Un marco tan alto como lo que contiene. Los formularios y el pago se abren en la ventana entera, para que se vea quién recibe el dinero.',
  ofEvents:
    'Lo que muestra las entradas de un evento, o las fechas de una serie, está en su propia página, en Compartir.',
  ofEvent: 'Las entradas en tu propio sitio',
  toSites: 'Elegir los sitios',
  close: 'Cerrar',
}
