import type { Texts } from '../texts.ts'

export const signIn: Texts['signIn'] = {
  title: 'Iniciar sesión',
  submit: 'Iniciar sesión',
  nothingYet: 'Aquí todavía no hay nada configurado',
  nothingYetAbout:
    'Abre el enlace que se mostró en la terminal; vuelve a iniciar el servidor para obtener otro.',
  nobodyYet: 'Aquí todavía no puede entrar nadie',
  nobodyYetAbout:
    'Quien administra este servidor invita a la primera persona propietaria: «turnout user invite» muestra un enlace que vale una semana.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  forgotten:
    '¿Ya no sabes la contraseña? Una persona propietaria de tu organización puede darte un enlace para elegir otra.',
  forgottenLink: '¿Has olvidado la contraseña?',
  forgottenTitle: '¿Has olvidado la contraseña?',
  forgottenAbout:
    'Si alguien entra con este correo, ahí llegará un enlace para elegir otra contraseña. Funciona una vez, durante una hora. La verificación en dos pasos se mantiene.',
  forgottenSubmit: 'Enviar el enlace',
  codeTitle: 'Un paso más',
  code: 'Código',
  codeHelp: 'Las seis cifras que tu aplicación muestra ahora, o uno de tus códigos de recuperación.',
}
