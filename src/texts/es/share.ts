import type { Texts } from '../texts.ts'

export const share: Texts['share'] = {
  title: 'Compartir',
  about: 'Lo que difundes para que la gente encuentre el evento.',
  isDraft: 'El público verá el evento cuando esté publicado.',
  needsCode: 'Este evento solo se ve con un código, y no hay ninguno activo.',
  needsName: 'El público verá el evento cuando tu organización tenga un nombre en los enlaces.',
  onlyHere:
    'Solo este ordenador puede abrir esta dirección. Para que otros lleguen, Turnout tiene que funcionar con un nombre propio: quien lo instaló encuentra cómo en el README, en «Running it for real».',
  address: 'Enlace al evento',
  qr: 'Código QR',
  qrAbout: 'Para carteles y presentaciones. El SVG se ve nítido a cualquier tamaño.',
  svg: 'Descargar SVG',
  png: 'Descargar PNG',
  message: 'Texto para un mensaje',
  withCode: 'Enlace con un código',
  noCode: 'Con un código, el enlace lleva un descuento o muestra entradas ocultas.',
  code: 'Código',
  showLink: 'Mostrar el enlace',
  html: 'Enlace para tu propia web',
  htmlAbout: 'Pega este HTML donde deba estar el enlace.',
  qrOf: title => `Código QR del enlace a ${title}`,
  ticketsFor: title => `Entradas para ${title}`,
  linkWith: code => `Enlace con el código ${code}`,
}
