// What the engine loads when its first source on SQL Server is opened.
import mssql from 'mssql'
import { readExactNumbers } from './exact-numbers.js'

readExactNumbers()

export { mssql }
