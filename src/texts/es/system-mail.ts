import type { Texts } from '../texts.ts'

export const systemMail: Texts['systemMail'] = {
  title: 'Correo',
  server: 'Servidor',
  serverAt: (host, port) => `${host}, puerto ${port}`,
  sender: 'De',
  waiting: 'En espera',
  orMore: count => `${count} o más`,
  lastSent: 'Último envío',
  neverSent: 'Todavía nada',
  notSetUp:
    'No se envía ningún correo: no hay ningún servidor de correo configurado. Los correos esperan hasta que lo haya.',
  notSetUpHow: 'Quien lleva el servidor indica el de vuestro proveedor y lo inicia de nuevo:',
  notSetUpService:
    'Con systemd, son estas líneas en /etc/turnout/turnout.conf, y «systemctl restart turnout»:',
  shown: 'Esto es un entorno de pruebas: los correos se muestran y no se envían a nadie.',
  onHold: since =>
    `No se envía ningún correo desde el ${since}, y los pagos están en pausa: esta base de datos puede ser una copia de otra.`,
  onHoldAbout:
    'Se ha restaurado, se ha copiado o se ha vuelto a poner a mano, o alguien la ha retenido con «turnout mail hold». Si otro servidor trabaja con los mismos datos, los dos escribirían a las mismas personas y devolverían lo mismo. Los correos, los pagos con tarjeta y las devoluciones esperan hasta que digas que no hay otro.',
  letGo: 'Volver a enviar…',
  letGoTitle: '¿Volver a enviar correos con estos datos?',
  letGoOther:
    'Dices que ningún otro servidor trabaja con estos datos ni con una copia. Si lo hay, las personas reciben los correos dos veces.',
  letGoWaiting: count => `Los correos que esperan salen enseguida: ${count}.`,
  letGoSubmit: 'No hay otro: volver a enviar',
  trouble: since =>
    `No sale ningún correo desde el ${since}. No se pierde nada: los correos esperan y se vuelven a intentar.`,
  answer: 'Lo que se dijo:',
  remedies: {
    name: 'No se conoce el nombre del servidor de correo: compruébalo, y también si esta máquina puede consultar nombres.',
    connection: 'Ahí no responde nadie: comprueba el puerto y si lo bloquea un cortafuegos o el proveedor.',
    silence: 'El servidor no respondió a tiempo. El puerto 465 pide smtps://, y el 587 smtp://.',
    certificate:
      'Su certificado no es de confianza, así que no se envió nada. Usa el nombre para el que vale el certificado.',
    no_tls: 'El servidor no tiene STARTTLS ahí, así que no se envió nada: prueba smtps:// con el puerto 465.',
    tls: 'Falló el cifrado: smtps:// va con el puerto 465, y smtp:// con el 587.',
    sign_in: 'El servidor no acepta el usuario y la contraseña: compruébalos o indícalos.',
    sender:
      'El servidor no acepta correos de este remitente: usa una dirección desde la que el usuario pueda enviar.',
    server: 'El servidor no acepta correos ahora. Si no se pasa, pregunta a su proveedor.',
  },
  test: 'Enviar un correo de prueba',
  testTo: email => `Va a ${email}.`,
  tested: {
    waiting: at => `El correo de prueba del ${at} está en espera.`,
    sent: at => `El servidor aceptó el correo de prueba del ${at}. Mira si ha llegado.`,
    failed: at => `El correo de prueba del ${at} fue rechazado.`,
    withdrawn: at => `El correo de prueba del ${at} no se envió.`,
  },
  spf: 'SPF',
  dmarc: 'DMARC',
  dkim: 'DKIM',
  notSigned:
    'Aquí no se firman los correos. Si tu proveedor tampoco los firma, «turnout mail dkim» crea una clave para ello.',
  dkimIs: {
    found: name => `Los correos se firman, y ${name} tiene la clave.`,
    missing: name =>
      `Los correos se firman, pero ${name} no tiene ningún registro y nadie puede comprobarlo. «turnout mail dkim» muestra el que hay que añadir.`,
    other: name =>
      `Los correos se firman, pero ${name} tiene el registro de otra clave y todas las firmas son falsas. «turnout mail dkim» muestra el correcto.`,
    unknown: _ => 'Los correos se firman. Su registro no se ha podido consultar ahora.',
  },
  looking: 'Consultando…',
  spfIs: {
    found: domain => `${domain} dice quién puede enviar en su nombre.`,
    missing: domain =>
      `${domain} no dice quién puede enviar en su nombre, así que muchos correos acaban en el correo no deseado. Tu proveedor tiene el texto para el servidor de nombres: un registro TXT que empieza por «v=spf1».`,
    several: domain => `${domain} tiene varios registros que empiezan por «v=spf1»: haz uno solo de ellos.`,
    unknown: _ => 'Ahora no se pudo consultar.',
  },
  dmarcIs: {
    found: domain => `${domain} dice qué pasa con los correos falsificados.`,
    missing: domain =>
      `${domain} no dice qué pasa con los correos falsificados, y los grandes proveedores lo piden. Añade un registro TXT para _dmarc.${domain}: «v=DMARC1; p=none» sirve para empezar.`,
    several: domain => `_dmarc.${domain} tiene varios registros que empiezan por «v=DMARC1»: deja uno.`,
    unknown: _ => 'Ahora no se pudo consultar.',
  },
}
