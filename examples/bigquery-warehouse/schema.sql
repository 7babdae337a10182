-- The tables of the dataset `sales`. A query that names the days it is about reads their partitions alone.
CREATE TABLE sales.product (id INT64 NOT NULL, name STRING NOT NULL, category STRING);
CREATE TABLE sales.`order` (id INT64 NOT NULL, country STRING NOT NULL, placed_on DATE NOT NULL, total NUMERIC)
  PARTITION BY placed_on CLUSTER BY country;
CREATE TABLE sales.order_line (order_id INT64 NOT NULL, product_id INT64 NOT NULL, quantity INT64 NOT NULL)
  CLUSTER BY order_id;
CREATE TABLE FUNCTION sales.similar_orders(order_id INT64) AS
  SELECT other.* FROM sales.`order` AS one JOIN sales.`order` AS other USING (country, placed_on)
  WHERE one.id = order_id AND other.id != order_id;
