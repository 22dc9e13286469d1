import { type LoginRequest, type RegisterRequest, user } from '@catenary/contracts'
import { useMutation } from '@tanstack/react-query'
import { write } from '../../lib/api-client.ts'

/** Starts a session. */
export function useLogin() {
  return useMutation({
    mutationFn: (body: LoginRequest) => write({ method: 'POST', path: '/api/login', body, schema: user }),
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
