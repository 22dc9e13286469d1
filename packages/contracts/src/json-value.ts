import * as z from 'zod'

/** It contains itself, so the OpenAPI document needs a name to refer to. */
export const jsonValue = z.json().register(z.globalRegistry, { id: 'JsonValue' })
