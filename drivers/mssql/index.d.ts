import mssql from 'mssql'

export { mssql }
