import { accountSettings, type LoginRequest, type RegisterRequest, user } from '@catenary/contracts'
import { useMutation } from '@tanstack/react-query'
import { read, write } from '../../lib/api-client.ts'
import { chooseTheme } from '../../lib/appearance/theme.ts'

/** Starts a session; the device takes the person's theme over. */
export function useLogin() {
  return useMutation({
    mutationFn: async (body: LoginRequest) => {
      const signedIn = await write({ method: 'POST', path: '/api/login', body, schema: user })
      const settings = await read({ path: '/api/account', schema: accountSettings }).catch(() => undefined)
      if (settings) chooseTheme(settings.theme)
      return signedIn
    },
    meta: { failure: false },
  })
}

/** Creates an account and starts its session. */
export function useRegister() {
  return useMutation({
    mutationFn: (body: RegisterRequest) =>
      write({ method: 'POST', path: '/api/register', body, schema: user }),
    meta: { failure: false },
  })
}

/** Ends the session. */
export function useLogout() {
  return useMutation({
    mutationFn: () => write({ method: 'POST', path: '/api/logout' }),
    meta: { failure: false },
  })
}
