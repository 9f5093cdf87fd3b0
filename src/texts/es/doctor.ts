import type { Texts } from '../texts.ts'

export const doctor: Texts['doctor'] = {
  title: 'Chequeo',
  about:
    'Mira el reloj, el disco, los permisos de los archivos, las copias de seguridad, la dirección que se usa, el correo y los pagos, y dice qué hacer.',
  run: 'Hacer el chequeo',
  running: since => `Está en marcha desde ${since}, y tarda unos segundos.`,
  last: at => `Último chequeo: ${at}.`,
  failed: at => `No se pudo terminar el ${at}.`,
  levels: { ok: 'Bien', info: 'Nota', warning: 'Aviso', error: 'Averiado' },
  allWell: 'No hay nada averiado.',
  versions: (version, node, engine) => `Turnout ${version}, Node.js ${node}, ${engine}.`,
  clockRight: now => `El reloj dice ${now}, y nada lleva una fecha posterior.`,
  clockUnsynchronized:
    'Nada mantiene en hora el reloj de esta máquina: activa «timedatectl set-ntp true», o ponlo en hora a mano antes de un evento.',
  dataInMemory: folder =>
    `${folder} está en memoria, y todo se pierde cuando se reinicia la máquina. Muévelo a un disco.`,
  dataOnNetwork: folder =>
    `${folder} está en una unidad de red, donde SQLite no puede cumplir lo que promete. Muévelo a un disco de esta máquina, o usa PostgreSQL.`,
  dataInContainer: folder =>
    `${folder} está en el propio contenedor, y se pierde con él. Pon ahí un volumen.`,
  diskFree: (free, total) => `Quedan ${free} de ${total} libres en el disco.`,
  diskNearlyFull: (free, total) =>
    `Solo quedan ${free} de ${total} libres en el disco. Cuando esté lleno, no se podrá escribir nada: haz sitio.`,
  diskSync: milliseconds => `El disco guarda una escritura en ${milliseconds} ms.`,
  diskSlow: milliseconds =>
    `El disco necesita ${milliseconds} ms para guardar una escritura, y cada entrada espera a una. Usa un disco más rápido: un SSD en vez de una tarjeta de memoria.`,
  rightsRight: folder => `${folder} y todo lo que contiene es de un solo usuario, y nadie más lo lee.`,
  rightsMixed: (path, folder) =>
    `${path} es de otro usuario que su carpeta, así que el servidor puede no lograr escribir: «chown -R» con el dueño de ${folder} lo arregla.`,
  rightsMissing: path =>
    `Este usuario no puede leer y escribir ${path}. Ejecuta esto como el usuario del servidor, o corrige los permisos.`,
  rightsOpen: path => `Otros en esta máquina pueden leer ${path}: ponle «chmod 600».`,
  backupsByOthers: 'PostgreSQL tiene los datos: comprueba que sus propias herramientas los copien.',
  backupsOff:
    'El servidor no hace copias de seguridad. Arráncalo con --backup-dir, o procura que otra cosa ejecute «turnout backup» cada noche.',
  backupMissing: folder =>
    `${folder} aún no tiene ninguna copia de esta base de datos. Haz la primera en la página Sistema, o con «turnout backup».`,
  backupLate: newest =>
    `La copia más reciente es de ${newest}, y ya tocaba otra: mira el registro del servidor, y si su disco está lleno.`,
  backupMade: (newest, size) => `La copia más reciente es de ${newest} y ocupa ${size}.`,
  backupsBeside: folder =>
    `${folder} está en el mismo disco que los datos, así que una avería se lleva ambos. Copia las copias a otra máquina.`,
  certificateValid: ends => `El certificado vale hasta el ${ends}.`,
  certificateNear: ends =>
    `El certificado termina el ${ends}, y no se ha renovado. Mira lo que lo renueva, por ejemplo certbot.`,
  certificateEnded: ends =>
    `El certificado terminó el ${ends}, y los navegadores rechazan las páginas. Renuévalo.`,
  certificateUntrusted: (host, reason) =>
    `Los navegadores no se fían del certificado de ${host} (${reason}). Dale al servidor la cadena entera, para ese nombre.`,
  baseUrlMissing:
    'No hay --base-url, así que los enlaces de los correos llevan adonde otros no pueden ir. Ponle la dirección que usa la gente.',
  baseUrlLocal: 'Solo esta máquina llega al servidor. Pon --base-url cuando otros deban llegar.',
  baseUrlUnknown: host =>
    `Ningún servidor de nombres conoce ${host}. Añade un registro, o corrige --base-url.`,
  baseUrlPrivate: host =>
    `${host} lleva a una dirección privada vista desde aquí: solo se llega desde esta red, salvo que otros la resuelvan de otro modo.`,
  baseUrlPlain:
    '--base-url empieza por http:, así que las contraseñas y las entradas viajan sin cifrar. Pon TLS delante.',
  baseUrlUnreachable: (url, reason) =>
    `Nada responde en ${url} visto desde aquí (${reason}). Mira el proxy, el cortafuegos y el puerto.`,
  baseUrlOther: (url, status) =>
    `Otro responde en ${url} (estado ${status}). Mira adónde llevan el proxy y el nombre.`,
  baseUrlReached: at => `Otros llegan: alguien vino de internet el ${at}.`,
  baseUrlUnproven: url =>
    `Ninguna máquina sabe por sí misma si otros llegan, y en el registro de accesos no hay nadie de internet. Abre ${url} en un teléfono sin Wi-Fi.`,
  baseUrlAnswers: url => `El servidor responde en ${url}.`,
  serverUnhealthy: url =>
    `El servidor de ${url} dice que no puede escribir su base de datos. Mira su registro, y el disco.`,
  serverOff: url => `Ahora no corre ningún servidor con estos datos, así que no se preguntó en ${url}.`,
  mailOff:
    'No hay servidor de correo: todos los correos esperan. Arranca el servidor con --smtp-url y --mail-from.',
  smtpReady: (host, port) => `${host}, puerto ${port}, aceptaría correos.`,
  smtpTrouble: (host, port, remedy, answer) =>
    `${host}, puerto ${port}, no acepta correos. ${remedy} Lo que dijo: ${answer}`,
  stripeLive: organization => `Stripe cobra para ${organization}.`,
  stripeTest: organization =>
    `Stripe está en modo de prueba para ${organization}: no se mueve dinero. Antes de vender, conéctalo con una clave real.`,
  stripeTestRefused: organization =>
    `${organization} tiene una clave de prueba de Stripe, que este servidor no acepta. Conéctalo con una clave real.`,
  stripeDenied: organization =>
    `Stripe rechaza la clave de ${organization}: nadie puede pagar con tarjeta. Conéctalo de nuevo.`,
  stripeNoKey: organization =>
    `Falta la clave de Stripe de ${organization}, porque la base de datos se copió sin secretos. Conéctalo de nuevo.`,
  stripeEventsMissed: organization =>
    `Puede haber pasado algo en Stripe de lo que ${organization} no se ha enterado. Compara los pagos de allí con los de aquí.`,
  stripeSilent: (organization, since) =>
    `No se sabe nada de Stripe para ${organization} desde el ${since}. Mira si esta máquina llega a Stripe.`,
}
