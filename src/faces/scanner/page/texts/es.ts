import type { Texts } from './en.ts'

export const es: Texts = {
  title: 'Puerta',
  loading: 'Un momento…',
  cancel: 'Cancelar',

  elsewhere: {
    title: 'Abierto en otra pestaña',
    about:
      'Solo escanea una pestaña a la vez, para que ninguna lectura se cuente dos veces ni se pierda entre dos.',
    take: 'Escanear aquí',
  },
  noStorage: {
    title: 'Este navegador no guarda nada',
    about:
      'Las lecturas tienen que sobrevivir a una página cerrada y a una batería vacía, y este navegador no deja guardar nada. Sal de la navegación privada o abre la página en otro navegador.',
  },
  pairing: {
    title: 'Vincula este teléfono',
    about:
      'En el panel, abre la página «Puertas» del evento, crea una puerta y lee su código con este teléfono.',
    byCamera: 'Leer el código con la cámara',
    code: 'O pega aquí su enlace',
    use: 'Usar este enlace',
    found: 'Código leído. ¿Vincular ahora este teléfono?',
    pair: 'Vincular este teléfono',
    busy: 'Vinculando…',
    another: 'Leer otro código',
    waiting: count =>
      `En este teléfono se guardan ${count} lecturas anteriores. Se envían en cuanto se vuelva a vincular con su evento.`,
    waitingOne:
      'En este teléfono se guarda una lectura anterior. Se envía en cuanto se vuelva a vincular con su evento.',
    faults: {
      ended: 'Este código ya se usó o tiene más de 15 minutos. Muestra otro en el panel.',
      unknown: 'El servidor no conoce este código. Muestra otro en el panel.',
      busy: 'El servidor está ocupado. Este teléfono lo vuelve a intentar solo.',
      'no-answer': 'El servidor no responde. Mira si este teléfono tiene red e inténtalo de nuevo.',
      'no-secret': 'Eso no es el código de una puerta. Es un enlace que termina en #pair= y unas letras.',
      refused: 'El servidor rechazó este código. Muestra otro en el panel.',
      elsewhere: host =>
        `Este código es de otro servidor, ${host}. Abre el enlace del código con la cámara del teléfono.`,
    },
  },
  ended: {
    invalid_device:
      'La vinculación de este teléfono ha terminado: la puerta se vinculó con otro teléfono o se eliminó. Vuelve a vincularlo.',
    device_revoked: 'Esta puerta se revocó. Su lista se ha borrado de este teléfono.',
    expired: 'El evento ha terminado, así que su lista se ha borrado de este teléfono.',
  },
  ending: {
    title: 'Esta puerta se revocó',
    about:
      'Ya no deja entrar a nadie. Deja esta página abierta hasta que se envíen sus lecturas; después, todo se borra de este teléfono.',
  },
  fetching: {
    title: 'Descargando la lista…',
    about: 'Se queda en este teléfono, para poder seguir escaneando sin red.',
    busy: 'El servidor está ocupado. Este teléfono lo vuelve a intentar solo.',
  },
  start: {
    start: 'Empezar a escanear',
    ready: count => `Hay ${count} entradas en este teléfono.`,
    readyOne: 'Hay 1 entrada en este teléfono.',
    readyNone: 'La lista aún no tiene entradas.',
    at: 'Puerta',
  },
  install: {
    title: 'Instala esta página',
    install: 'Instalar en este dispositivo',
    iosAbout:
      'Safari borra lo que guarda una página tras 7 días sin visitarla. En la pantalla de inicio se conserva, se abre sin red y pide la cámara una sola vez.',
    iosHow:
      'Pulsa Compartir y después «Añadir a pantalla de inicio». Ábrela y vincúlala allí: no comparte nada con Safari.',
    about:
      'Instalada, se abre como una aplicación y el navegador conserva su lista más tiempo. El menú del navegador tiene «Instalar» o «Añadir a pantalla de inicio».',
  },
  secure: {
    offlineYes: 'Se abre sin red.',
    offlineNo:
      'No se abre sin red: deja esta página abierta. El navegador no confía en el certificado del servidor, o no guarda nada para las páginas.',
    http: 'Esta página llegó por http sin cifrar: aquí no hay cámara y no se abre sin red. Un lector que teclea funciona, y buscar por nombre también.',
  },
  nav: { scan: 'Escanear', search: 'Buscar', scans: 'Lecturas', settings: 'Ajustes' },
  scan: {
    aim: 'Pon el código delante de la cámara',
    camera: {
      off: 'La cámara está apagada',
      starting: 'La cámara se enciende…',
      on: '',
      asleep: 'La cámara descansa',
      denied:
        'El navegador no deja que esta página use la cámara. Permítelo en los ajustes del navegador para esta página y vuelve a encenderla.',
      missing: 'Este dispositivo no tiene cámara. Usa un lector que teclea o escribe el código.',
      busy: 'La cámara no se enciende. Puede que la tenga otra aplicación.',
      insecure:
        'Aquí no hay cámara: la página llegó por http sin cifrar y los navegadores solo la dan con https.',
      'no-decoder':
        'No se pudo cargar el lector de códigos. Mira si este teléfono tiene red y vuelve a encender la cámara.',
    },
    wake: 'Encender la cámara',
    torchOn: 'Encender la luz',
    torchOff: 'Apagar la luz',
    code: 'Código',
    codeHelp: 'Teclea aquí',
    check: 'Validar',
    result: 'Resultado',
  },
  net: {
    yes: 'Con conexión',
    no: 'Sin red: decide este teléfono',
    busy: 'Ocupado, se vuelve a intentar',
    slow: 'Red lenta: decide este teléfono',
    unknown: 'Conectando…',
  },
  waiting: count => `${count} por enviar`,
  waitingNone: 'Todo enviado',
  others: count =>
    `${count} lecturas de otro evento esperan en este teléfono. Vuelve a vincularlo con ese evento y se enviarán.`,
  othersOne:
    'Una lectura de otro evento espera en este teléfono. Vuelve a vincularlo con ese evento y se enviará.',
  outcomes: {
    admitted: 'Adelante',
    used: 'Ya se usó',
    refused: 'No puede entrar',
    held: 'Pregunta a un responsable',
  },
  todo: {
    registration_cancelled: 'Envíala al mostrador.',
    registration_not_confirmed: 'Envíala al mostrador: allí se paga.',
    ticket_voided: 'Pide la entrada más nueva: llegó por correo. Si no, al mostrador.',
    already_checked_in: 'Mira el nombre y pregunta en el mostrador.',
    not_valid_today: 'Es la entrada de otro día. Envíala al mostrador.',
    wrong_event: 'Pide la entrada de este evento. Si no, al mostrador.',
    not_found: 'Envíala al mostrador.',
    invalid_qr_code: 'Pide la propia entrada, en el correo o en su página. Si no, al mostrador.',
    wrong_door: 'Envíala a la puerta de este tipo de entrada.',
    unlisted: '¿Comprada hace un momento? Prueba otra vez con red, o pregunta en el mostrador.',
  },
  usedHere: ago => `${ago}, en esta puerta: ¿escaneada dos veces?`,
  usedElsewhere: (ago, door) => `${ago}, en ${door}`,
  reasons: {
    registration_cancelled: 'La entrada se canceló.',
    registration_not_confirmed: 'La entrada no está pagada.',
    ticket_voided: 'La entrada está anulada: otra la sustituye.',
    already_checked_in: 'Esta entrada ya se usó.',
    not_valid_today: 'No es válida en este momento.',
    wrong_event: 'Es una entrada de otro evento.',
    not_found: 'No está en la lista de este evento.',
    invalid_qr_code: 'No es una entrada: el código está mal o es falso.',
    wrong_door: 'No es por esta puerta.',
    device_revoked: 'Esta puerta se revocó.',
    too_many_by_hand:
      'Han entrado demasiadas personas por nombre en un minuto. De esta decide un responsable.',
    scan_id_reused: 'El servidor tomó esta lectura por otra. Léela de nuevo.',
    invalid_request: 'El servidor no entendió esta lectura.',
    search_off: 'Esta puerta no puede dejar entrar por nombre.',
    dismissed: 'No se mostró nada: la página se había cerrado.',
    undo_too_late:
      'Llegó al servidor más de 10 minutos después de la lectura. La persona cuenta como dentro y la entrada está usada. En el panel, un gestor aún puede deshacerla.',
    fragment: 'Solo llegó una parte del código. Mantén quieto el lector y léelo otra vez.',
    just_read: 'Este código se leyó hace unos segundos. Cuenta una sola vez.',
    unlisted: 'Aún no está en la lista: se compró hace poco. El código es auténtico.',
    storage_full:
      'El almacenamiento de este teléfono está lleno y la lectura no se puede guardar: no ha entrado nadie. Libera espacio o usa otro teléfono.',
    other: 'El servidor rechaza esta entrada.',
  },
  again: {
    fragment: 'Léelo otra vez',
    justRead: 'Recién leído',
    about: 'Se acaba de leer otra vez. Cuenta una sola vez.',
  },
  validFrom: when => `Válida desde ${when}`,
  validUntil: when => `Válida hasta ${when}`,
  usedAt: (when, door) => `${when} en ${door}`,
  usedWhen: when => when,
  owes: 'Queda dinero por pagar de este pedido',
  seat: 'Asiento',
  noName: 'Entrada sin nombre',
  byPhone: 'Lo decidió este teléfono',
  next: 'Siguiente',
  undo: {
    undo: 'Deshacer',
    title: '¿Deshacer esta entrada?',
    about: 'Después la entrada se puede volver a usar.',
    confirm: 'Deshacerla',
    keep: 'Dejarla',
    done: 'Deshecha',
    reason: 'deshecho en la puerta',
  },
  alarms: {
    double: 'Entró aquí y no debía',
    doubleUsed: 'Ha entrado dos veces',
    other: 'Ha entrado por dos puertas',
    good: 'Sí que era válida',
    undo: 'Se deshizo demasiado tarde',
    doubleAbout: 'Este teléfono no pudo preguntar a tiempo al servidor. El servidor dice:',
    goodAbout:
      'Este teléfono la rechazó por su cuenta y el servidor dice que la entrada es válida. Busca a esa persona y léela de nuevo.',
    here: 'Aquí',
    first: 'Primero',
    also: 'También',
    seen: 'Lo he visto',
    more: count => `${count} más después de esta`,
    seenAll: count => `He visto las ${count}`,
  },
  search: {
    title: 'Buscar por nombre',
    label: 'Nombre o asiento',
    none: 'En la lista no hay nadie con ese nombre.',
    many: 'Los 30 primeros. Escribe más del nombre.',
    off: 'Esta puerta no puede buscar por nombre. Añade en el panel una puerta que pueda y vincula este teléfono con ella.',
    admit: 'Dejar entrar',
    ask: '¿Dejar entrar sin código?',
    askAbout: 'Mira antes un documento de identidad: solo te basas en un nombre.',
    states: {
      ok: 'Válida',
      unpaid: 'Sin pagar',
      cancelled: 'Cancelada',
      void: 'Anulada',
      used: 'Ya está dentro',
    },
  },
  scans: {
    title: 'Últimas lecturas',
    none: 'Aún no hay lecturas.',
    waits: 'sin enviar',
    byName: 'por nombre',
    outcomes: {
      admitted: 'Entró',
      refused: 'Rechazada',
      conflict: 'Conflicto',
      undone: 'Deshecha',
      held: 'A la espera de un responsable',
      invalid: 'No aceptada',
    },
    undo: 'Deshacer una entrada',
    undoRefused: 'Deshacer, demasiado tarde: la entrada sigue contando',
    allSent: 'El servidor tiene todas las lecturas.',
    wait: count =>
      `${count} lecturas esperan en este teléfono. Deja la página abierta donde haya red: en segundo plano un teléfono no envía nada.`,
    waitOne:
      '1 lectura espera en este teléfono. Deja la página abierta donde haya red: en segundo plano un teléfono no envía nada.',
    send: 'Enviar ahora',
  },
  settings: {
    title: 'Ajustes',
    camera: 'Cámara',
    cameraNumber: number => `Cámara ${number}`,
    language: 'Idioma',
    sound: 'Sonido',
    soundOn: 'Activado',
    soundOff: 'Desactivado',
    door: 'Puerta',
    event: 'Evento',
    list: 'Lista',
    tickets: count => `${count} entradas`,
    heard: 'Última respuesta del servidor',
    forget: 'Olvidar esta puerta',
    forgetTitle: '¿Olvidar esta puerta?',
    forgetAbout: 'La lista y la vinculación se borran de este teléfono.',
    forgetWaiting: count => `${count} lecturas aún no se han enviado y se perderían.`,
    forgetConfirm: 'Olvidar',
    stop: 'Dejar de escanear',
  },
  clockWrong: minutes =>
    `El reloj de este teléfono tiene un error de ${minutes}. Las lecturas se anotan igualmente con la hora correcta; pon el reloj en automático.`,
  minutes: count => `${count} min`,
  hours: count => `${count} h`,
  storageFull:
    'El almacenamiento de este teléfono está lleno. Ya no se pueden guardar lecturas: libera espacio ahora o sigue con otro teléfono.',
}
