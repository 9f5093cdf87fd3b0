import { toDecimal } from '#base/money.ts'
import type { Texts } from '../texts.ts'
import { messages } from './messages.ts'

const lacking: Readonly<Record<string, string>> = {
  starts_at: 'El evento necesita una fecha antes de publicarse.',
  registration_types: 'El evento necesita una entrada a la venta antes de publicarse.',
  slug: 'Tu organización necesita un nombre de enlace, en sus ajustes, antes de publicar un evento.',
  seller:
    'Hay que decir del todo quién vende, en los ajustes de tu organización, antes de publicar un evento con entradas de pago.',
}

export const problems: Texts['problems'] = {
  again: 'Intentar otra vez',
  heading: {
    filesWait: 'Tu archivo aún no está listo',
    notFound: 'Aquí no hay nada',
    notAllowed: 'Hace falta otro rol',
    other: 'No ha funcionado',
  },
  reasons: {
    not_sold_out: 'Quedan entradas: cógelas ahora.',
    decision_missing: 'Elige antes una decisión.',
    submitter_taken:
      'Otra persona ya envía propuestas a este evento con ese correo. Dos personas nunca se juntan en una: pide que se envíe de nuevo desde allí.',
    confirm_first:
      'Ya se ha empezado tanto que primero hay que confirmar tu correo. Te llegará un enlace: ábrelo, empieza desde allí y copia lo que has escrito aquí.',
    no_more_time: 'Eso no da más tiempo: elige un momento futuro, posterior al cierre.',
    too_much_time: 'Falta más de un año para eso: elige un momento anterior.',
    no_such_type: ({ name }) => `Esta fecha no tiene ningún tipo de entrada «${String(name)}».`,
    no_such_code: ({ code }) => `Esta fecha no tiene ningún código «${String(code)}».`,
    no_such_question: ({ label }) => `Esta fecha no tiene ninguna pregunta «${String(label)}».`,
    several_questions: ({ label }) => `Esta fecha tiene varias preguntas «${String(label)}».`,
    logo_too_large: 'El logotipo es demasiado grande para tantas fechas: ocuparían más de 64 MB.',
    other_currency: ({ currency }) => `Los precios de esta fecha están en otra moneda, ${String(currency)}.`,
    skipped_time: 'Los relojes se saltan esta hora: elige otra.',
    no_room_for_code:
      'En este tamaño no cabe un código que se pueda escanear. Elige uno mayor, o ningún código.',
    nothing_to_print: 'Ya no hay ninguna credencial que imprimir.',
    kinds_together: 'Charlas y pósteres son 10 como máximo en total, y cada tipo tiene su propio nombre.',
    too_many_choices:
      'Se han quitado demasiados temas y tipos de esta convocatoria, y puede haber propuestas con ellos. Recupera antiguos en lugar de añadir nuevos.',
    files_often: 'Son muchos archivos en poco tiempo. No se ha cambiado nada: inténtalo más tarde.',
    password_length: 'Usa de 10 a 200 caracteres.',
    password_guessable: 'Es demasiado fácil de adivinar: elige algo más largo o menos común.',
    email_taken: 'Otra persona tiene este correo.',
    already_member: 'Esta persona ya está en el equipo.',
    other_email: 'La invitación es para otro correo.',
    sign_in_first: 'Ya hay alguien con este correo: inicia sesión para aceptar la invitación.',
    last_owner: 'La organización debe conservar una persona propietaria: nombra antes a otra.',
    owner_has_all_events: 'Una persona propietaria tiene todos los eventos.',
    unknown_event: 'Uno de los eventos ya no existe.',
    wrong_code: 'El código no es correcto: escribe el que muestra tu aplicación ahora.',
    second_factor_exists: 'La verificación en dos pasos ya está activada.',
    no_second_factor: 'La verificación en dos pasos está desactivada.',
    names_and_quantity: 'Hay más o menos nombres que entradas: cambia una de las dos cosas.',
    webhook_taken: 'Ya hay un webhook a esta dirección.',
    webhook_not_https: 'Escribe una dirección https: lo que se envía lleva nombres y correos.',
    webhook_not_public: 'Esta dirección no está en la internet pública, y ahí no se puede enviar nada.',
    webhook_disabled: 'El webhook está desactivado. Actívalo antes.',
    not_by_owner:
      'Esta persona es más que miembro de esta organización: el enlace lo hace quien lleva el servidor.',
    no_title_column: 'Ninguna columna tiene los títulos: llama a una «título», en la primera línea.',
    no_name_column: 'Di qué columna tiene los nombres.',
    no_email_column: 'Di qué columna tiene los correos.',
    too_many_answers: 'El evento tendría demasiadas respuestas distintas: no uses algunas columnas.',
    import_under_way: 'Estos asistentes se están importando. Detenlo antes.',
    import_not_checked: 'Las líneas no están comprobadas todavía.',
    nothing_to_import: 'No queda nada por importar.',
    nothing_to_send: 'No hay ninguna de estas entradas por enviar.',
    line_ended: 'Esta línea ya está asignada.',
    line_currency: 'Esta línea está en otra moneda que el pedido.',
    line_outgoing: 'Con esta línea no entró dinero.',
    line_refund: 'Esta línea no paga ese reembolso: el importe es otro.',
    line_payout: 'Esta línea no es ese abono: no coincide, o ya lo es otra línea.',
    money_used: 'Ya ha pasado algo con este dinero: cambia o cancela su pedido en lugar de eso.',
    statement_not_read: 'Di primero qué es cada columna.',
    read_anew: 'Mientras tanto alguien ha elegido otras columnas.',
    own_reset: 'Tu propia contraseña se cambia en tu perfil, con la anterior.',
    no_event_ticked: 'Marca al menos uno, o elige todos los eventos.',
    question_answered: 'Ya hay respuestas: esto no se puede cambiar. Retira la pregunta.',
    too_many_questions: 'Ya hay tantas preguntas como caben en un pedido: retira una antes.',
    event_live: 'A este evento se puede acudir. Solo se borra un borrador o un evento cancelado.',
    event_has_receipts: 'Se emitieron recibos de él, y la ley obliga a conservarlos.',
    event_has_money: 'Se ha movido dinero por él, y tu contabilidad lo necesita.',
    event_has_refunds: 'Tiene devoluciones, y tu contabilidad las necesita.',
    event_has_payments:
      'Se empezaron pagos de él: todavía puede llegar dinero, y tiene que encontrar su pedido.',
    event_has_jobs: 'Todavía hay una tarea en marcha en él: espera a que termine, o detenla.',
    event_has_scans_to_come:
      'Un teléfono de una puerta tiene lecturas que aún no ha enviado: deja que las envíe, o revoca esa puerta.',
    other_title: 'Este no es el nombre del evento.',
    code_used: 'Se han pedido entradas con este código. Desactívalo.',
    too_many_codes: 'El evento tendría demasiados códigos: 20 000 como mucho.',
    past_expiry: 'Debe caducar en el futuro.',
    key_secret:
      'Esta clave lo puede todo en tu cuenta. Crea en su lugar una clave restringida: empieza por rk_live_.',
    key_shape: 'No es una clave restringida de Stripe: esas empiezan por rk_live_.',
    key_test: 'Es una clave de prueba y no cobra dinero: usa una que empiece por rk_live_.',
    key_denied: 'Stripe no conoce esta clave, o ya no.',
    key_permissions: ({ missing }) =>
      `A la clave le faltan permisos. Dale estos en Stripe y envíala otra vez: ${(missing as string[]).join('; ')}.`,
    stripe_silent: 'Stripe no responde. No ha cambiado nada: prueba otra vez dentro de poco.',
    other_stripe_account:
      'Esta clave es de otra cuenta de Stripe o de otro modo. Desconecta antes la que hay.',
    payments_open: ({ open }) =>
      `Hay pagos o reembolsos en curso: ${Number(open)}. Antes tienen que terminar.`,
    unknown_placeholder: ({ names }) => messages.unknownPlaceholder(names as string[]),
  },
  tell: {
    not_found: () => 'Puede que se haya borrado, o que sea de otra persona.',
    route_not_found: () => 'Puede que la dirección esté mal escrita.',
    method_not_allowed: () => 'Esta dirección no se abre así.',
    not_allowed: () => 'Pídelo a una persona propietaria de la organización.',
    no_longer_allowed: () => 'Quien lo empezó ya no puede hacerlo. Vuelve a empezarlo tú.',
    door_only: () => 'Este servidor solo da paso en la puerta. Haz este cambio en tu servidor principal.',
    cross_site: () => 'Lo ha enviado otro sitio. No se ha cambiado nada.',
    signed_out: ({ is_kept }) =>
      is_kept === true
        ? 'Se cerró tu sesión. Lo que escribiste se conserva: inicia sesión para continuar.'
        : 'Se cerró tu sesión. Inicia sesión para continuar.',
    sign_in_refused: () => 'El correo y la contraseña no coinciden.',
    code_refused: () => 'Este código es incorrecto, ya se usó o llegó tarde.',
    wrong_password: () => 'Esta no es tu contraseña.',
    seen_changed: () => 'Lo que pasaría ha cambiado mientras tanto. Míralo de nuevo.',
    link_used_up: () => 'Este enlace ya se usó, o ha caducado. Pide otro.',
    too_many_joined: () =>
      'En la última hora se ha apuntado mucha gente a la lista de espera desde tu red. Inténtalo dentro de una hora o desde otra red.',
    too_many_mails: () =>
      'Por ahora se han enviado bastantes correos como este. Mira en la carpeta de spam o inténtalo más tarde.',
    rate_limited: () => 'Demasiado en poco tiempo. Espera un minuto e inténtalo de nuevo.',
    internal_error: () => 'Algo ha fallado por nuestra parte. Está en el registro con el número de abajo.',
    unavailable: () => 'Ahora mismo no se puede. No se ha cambiado nada: inténtalo dentro de un momento.',
    documents_waiting: () =>
      'Ahora mismo se están creando muchos archivos. No se ha perdido nada: espera unos segundos e inténtalo de nuevo.',
    files_full: () =>
      'Ahora no cabe otro archivo aquí. Tu texto está guardado: avisa a la organización o inténtalo más tarde.',
    malformed_json: () => 'El formulario no ha llegado entero. No se ha cambiado nada: envíalo otra vez.',
    request_timeout: () =>
      'Llegaba demasiado despacio y se ha abandonado. Prueba con mejor conexión, o por partes.',
    payload_too_large: () => 'Es más grande de lo que admite esta página.',
    unsupported_media_type: () => 'Esta página solo admite formularios.',
    invalid_cursor: () => 'Esta página de la lista ya no existe. Empieza por lo más reciente.',
    sold_out: ({ available, name }) =>
      name !== undefined
        ? Number(available) === 0
          ? `${name}: entradas agotadas.`
          : `No quedan plazas suficientes de ${name}: ${Number(available)} libre${Number(available) === 1 ? '' : 's'}.`
        : Number(available) === 1
          ? 'No quedan plazas suficientes: solo hay 1 libre de este tipo.'
          : `No quedan plazas suficientes: hay ${Number(available)} libres de este tipo.`,
    already_taken: () => 'Otro ya tiene este.',
    below_sold: ({ sold }) => `Ya se han vendido ${Number(sold)}: esa cantidad o más.`,
    in_use: ({ more_than: most }) =>
      most === undefined
        ? 'Ya hay asistentes, o personas en espera: esto ya no puede cambiar.'
        : 'Hay demasiados asistentes para mirarlos todos.',
    event_incomplete: ({ missing }) => lacking[String((missing as string[])[0])] ?? '',
    series_full: ({ max }) => `Una serie tiene como máximo ${Number(max)} fechas.`,
    not_carried: ({ count }) =>
      `No se ha guardado nada, porque algunas de las fechas posteriores no lo admiten: ${Number(count)}. Cámbialo, o guarda solo esta fecha.`,
    no_start: () => 'Pon primero la fecha de este evento: las demás se cuentan desde ella.',
    announcement_sent: () => 'Este anuncio ya se envió: no se puede cambiar.',
    below_used: ({ used }) => `Ya lo tienen ${Number(used)} entradas: pon ese número o uno mayor.`,
    unknown_code: () => 'No existe ese código. Comprueba que esté escrito como te llegó.',
    code_not_yet: () => 'Este código todavía no vale.',
    code_expired: () => 'Este código ya no vale.',
    code_used_up: ({ left }) =>
      Number(left) === 0
        ? 'Este código ya se ha usado todas las veces posibles.'
        : `Este código vale para menos entradas: ${Number(left) === 1 ? 'queda' : 'quedan'} ${Number(left)}.`,
    not_on_sale: ({ name }) =>
      name === undefined
        ? 'Este evento no tiene entradas a la venta ahora mismo.'
        : `«${name}» no está a la venta ahora mismo.`,
    address_needed: () => 'La factura de un pedido de este importe necesita tu dirección postal.',
    order_size: ({ name, min, max, extras }) =>
      name === undefined
        ? max === undefined
          ? 'Una entrada está en dos líneas.'
          : extras === true
            ? `Elige de ${min} a ${max}, entre entradas y extras.`
            : `Elige de ${min} a ${max} entradas.`
        : min === max
          ? `De «${name}» puedes pedir ${min}.`
          : `De «${name}» puedes pedir de ${min} a ${max}.`,
    ticket_needed: ({ name }) => `«${name}» solo va con una entrada: elige también una entrada.`,
    wrong_price: ({ name, min, max, currency }) =>
      `Por «${name}» puedes dar de ${toDecimal(Number(min), String(currency))} a ${toDecimal(Number(max), String(currency))} ${currency}.`,
    payment_needed: () =>
      'Esto tiene un precio, y aquí aún no hay forma de pagarlo. Pregunta a quien organiza.',
    too_many_pending: ({ most }) =>
      `Este correo ya tiene ${most} inscripciones en espera. Espera a que se decidan.`,
    automatic: () => 'Parece que un programa ha rellenado este formulario: deja vacío el campo que no se ve.',
    form_expired: () => 'Míralo una vez más y envíalo.',
    order_ended: () => 'Eso ya está decidido.',
    receipt_made: () => 'El recibo ya está hecho, y se queda como está.',
    offer_ended: () => 'Esta oferta ha terminado: las plazas se ofrecieron a otras personas.',
    refund_too_large: () => 'De lo pagado no queda tanto.',
    ticket_not_ordered: () => 'Solo se puede cambiar una entrada que se pidió aquí. Edita la inscripción.',
    ticket_disputed: () =>
      'El banco pregunta por el pago de esta entrada: se podrá cambiar cuando esté decidido.',
    too_many_exchanges: () =>
      'Las entradas de este pedido se han cambiado demasiadas veces: no puede tener más.',
    dispute_decided: () => 'El banco o alguien de tu equipo ha decidido entretanto sobre esta disputa.',
    refund_ended: () => 'Este reembolso ya está hecho.',
    refund_under_way: () => 'El reembolso ya está en marcha.',
    method_not_offered: () => 'Ya no se puede pagar así: elige otra forma.',
    payment_paused: () => 'Esta forma de pago está en pausa por un rato. Elige otra, o inténtalo más tarde.',
    payment_under_way: () => 'Puede que ya esté pagado de otra forma: espera a que termine.',
    payment_ended: () => 'Este pago ha terminado. Escribe a quien organiza.',
    call_not_open: () => 'La convocatoria todavía no ha empezado.',
    call_over: () => 'La convocatoria ha terminado. Escribe a quien organiza.',
    call_full: () => 'El evento no admite más propuestas. Escribe a quien organiza.',
    too_many_abstracts: ({ most }) =>
      Number(most) === 1
        ? 'La convocatoria admite una propuesta por persona, y ya has enviado una.'
        : `La convocatoria admite ${most} propuestas por persona, y ya has enviado esas.`,
    too_many_drafts: () => 'Has empezado demasiadas propuestas. Sigue con una de las que hay.',
    too_many_revisions: () => 'Esta propuesta se ha cambiado demasiadas veces. Escribe a quien organiza.',
    abstract_decided: () => 'La propuesta ya se ha decidido y no se puede cambiar. Escribe a quien organiza.',
    abstract_not_accepted: () => 'La propuesta no está aceptada, o ha dejado de estarlo.',
    abstract_incomplete: () => 'Falta algo que pide la convocatoria. Revísala otra vez.',
    abstract_withdrawn: () => 'La propuesta se ha retirado.',
    programme_full: ({ of, most }) =>
      ({
        rooms: `Un evento tiene como mucho ${most} salas.`,
        sessions: `Un programa tiene como mucho ${most} sesiones.`,
      })[of as string] ?? `Un programa tiene como mucho ${most} partes en todas sus sesiones.`,
    session_times: () => 'Una sesión termina después de empezar, y antes de siete días.',
    review_over: () => 'La revisión ha terminado.',
    review_done: () => 'Esta revisión está terminada, y la propuesta ya no se puede devolver.',
    review_incomplete: () =>
      'Una revisión terminada tiene todas las puntuaciones y una recomendación. Elige las que faltan.',
    review_conflict: ({ conflict }) =>
      ({
        person: 'Esta persona es una de las que están detrás de la propuesta.',
        domain: 'Esta persona tiene un correo del mismo dominio que alguien detrás de la propuesta.',
        affiliation: 'Esta persona tiene la misma afiliación que un autor.',
        told: 'Esta persona ha nombrado a alguien detrás de la propuesta como conflicto de intereses.',
      })[conflict as string] ?? 'Esta persona tiene un conflicto de intereses.',
    nothing_to_send: () => 'Ninguna decisión espera a ser enviada.',
    being_sent: () => 'Esta decisión está a punto de enviarse tal como se mostró. Detén antes el envío.',
    own_abstract: () =>
      'Eres una de las personas que están detrás de esta propuesta, así que la deciden otras.',
    too_many_reviewers: ({ most }) => `Un evento tiene como mucho ${most} revisores.`,
    too_many_reviews: ({ most }) => `Una propuesta tiene como mucho ${most} revisores.`,
    draft_too_long: () =>
      'El texto es mucho más largo de lo que admite la convocatoria. Acórtalo y vuelve a guardar.',
    too_late: () => 'Ya es tarde para eso. Escribe a quien organiza.',
    email_ended: () => 'Este correo ya se envió, o ya no hace falta.',
    invalid_device: () => 'Este dispositivo no está emparejado.',
    device_revoked: () => 'Este dispositivo fue revocado.',
    pairing_ended: () => 'Este emparejamiento ya se usó, o se le acabó el tiempo.',
    scan_ended: () => 'Ya no se puede hacer nada con esta lectura.',
    copy_again: () => 'La lista ha cambiado demasiado: cópiala de nuevo.',
    invalid_transition: () => 'El evento ya está en otro estado.',
    already_cancelled: () => 'Ya estaba cancelado.',
    registration_erased: () =>
      'Los datos del comprador se borraron: esta inscripción ya no se puede cambiar.',
    refund_required: () => 'Está pagado: solo se puede cancelar junto con su reembolso.',
    not_cancellable: () => 'Una inscripción fallida o reembolsada no se puede cancelar.',
    registration_cancelled: () => 'Su inscripción está cancelada.',
    registration_not_confirmed: () => 'Su inscripción no está confirmada.',
    ticket_voided: () => 'La entrada está anulada.',
    already_checked_in: () => 'La entrada ya se ha registrado.',
    not_valid_today: () => 'La entrada no es válida ahora.',
    invalid_qr_code: () => 'No es una entrada de este servicio.',
    wrong_door: () => 'Esto es un extra: se entrega en una puerta donde su tipo está elegido.',
    wrong_event: () => 'La entrada es de otro evento.',
  },
}
