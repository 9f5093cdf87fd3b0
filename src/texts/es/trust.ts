import type { Texts } from '../texts.ts'

export const trust: Texts['trust'] = {
  title: 'Confía en este servidor',
  about:
    'Este servidor se ha hecho su propio certificado, así que tu teléfono aún no lo conoce. Instálalo una vez: después el escáner se abre sin avisos, también cuando no hay red.',
  profile: 'Perfil para iPhone y iPad',
  certificate: 'Certificado para los demás',
  compare: 'Primero, compara',
  compareAbout:
    'El servidor mostró la misma huella SHA-256 al arrancar. Puede que esta página haya llegado sin cifrar, así que compara lo que tu teléfono muestra del propio certificado: en «Más detalles» antes de instalarlo, o entre los certificados de confianza después. Si es otra, no confíes en él.',
  ios: 'iPhone y iPad',
  iosSteps: name => [
    'En Safari, toca «Perfil para iPhone y iPad» aquí arriba y luego «Permitir».',
    'Abre Ajustes. Toca «Perfil descargado», arriba, y luego «Instalar».',
    `En Ajustes, ve a General, Información, Ajustes de confianza de los certificados, y activa «${name}». Sin este paso no sirve de nada.`,
  ],
  android: 'Android',
  androidSteps: [
    'Toca «Certificado para los demás» aquí arriba. Se guarda el archivo turnout.crt.',
    'Abre Ajustes y busca «Certificado de CA». Está en Seguridad, Cifrado y credenciales, Instalar un certificado.',
    'Elige «Certificado de CA», luego «Instalar de todos modos», y el archivo turnout.crt de las descargas.',
    'Usa Chrome: Firefox no mira en qué certificados confía el teléfono.',
  ],
  computers: 'Ordenadores',
  windows:
    'Windows: abre el archivo, elige «Instalar certificado» y ponlo en «Entidades de certificación raíz de confianza».',
  mac: 'Mac: abre el perfil e instálalo en Ajustes del Sistema, en Gestión de dispositivos; o añade el certificado a Acceso a Llaveros y ponlo en «Confiar siempre».',
  next: 'Después, abre el escáner',
  without:
    '¿No lo has instalado? El escáner y su cámara funcionan igual después de aceptar el aviso del navegador. Pero, si se recarga sin red, no vuelve.',
  afterwards:
    'Solo vale para este servidor, y su clave se destruyó al hacerlo. Después del evento puedes quitarlo de donde lo instalaste.',
}
