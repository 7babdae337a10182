-- The tables of the store, for SQL Server 2019 or later.
CREATE SCHEMA sales;
GO
CREATE TABLE dbo.product (
  id int IDENTITY PRIMARY KEY,
  name nvarchar(200) NOT NULL,
  price decimal(10, 2) NOT NULL,
  is_sold bit NOT NULL DEFAULT 1
);
CREATE TABLE dbo.customer (
  id int IDENTITY PRIMARY KEY,
  name nvarchar(200) NOT NULL,
  email nvarchar(200) NOT NULL UNIQUE
);
CREATE TABLE sales.[order] (
  id int PRIMARY KEY,
  customer_id int NOT NULL REFERENCES dbo.customer,
  placed_at datetime2 NOT NULL DEFAULT SYSUTCDATETIME(),
  state nvarchar(20) NOT NULL DEFAULT 'placed'
);
CREATE TABLE dbo.order_line (
  order_id int NOT NULL REFERENCES sales.[order],
  product_id int NOT NULL REFERENCES dbo.product,
  quantity int NOT NULL CHECK (quantity > 0),
  PRIMARY KEY (order_id, product_id)
);
GO
CREATE PROCEDURE sales.products_to_order @at_least int AS
  SELECT line.product_id, sum(CAST(line.quantity AS bigint)) AS sold
  FROM dbo.order_line AS line
  GROUP BY line.product_id
  HAVING sum(line.quantity) >= @at_least;
GO
